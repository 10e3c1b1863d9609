// Explains a pod from the state of the engine and its recorded decisions. A pending pod is evaluated on all nodes, so
// the call takes as long as an attempt.
// Thread: the scheduling thread, between two steps of the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "scheduler/engine/engine.h"
#include "scheduler/explain/pod_explanation.h"

namespace berth::explain {

// now: for the durations in the summary. node: the name
// of a node to answer for in particular, or "". key: "namespace/name". nullopt: the engine knows no such pod.
// Suggestions are left out; see SuggestionSearch.
std::optional<Explanation> ExplainPod(engine::Engine& engine, const api::InternTables& intern, int64_t now_unix_ns,
                                      std::string_view key, std::string_view node = {});

// The decision with this ID, with its table if the ring or the pod in the queue has it. null: nobody has the decision.
std::shared_ptr<const decisions::Decision> FindDecision(engine::Engine& engine, uint64_t id);

// Explains one recorded attempt from its own table; details come from the state of the cluster now, so call it soon
// after the attempt. The queue is left out.
Explanation ExplainAttempt(engine::Engine& engine, const api::InternTables& intern, const api::Pod& pod,
                           std::shared_ptr<const decisions::Decision> decision);

}  // namespace berth::explain
