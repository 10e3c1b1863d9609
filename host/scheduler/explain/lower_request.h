// The smallest decrease of a pod's requests after which one of the nodes has enough of every resource.
// Thread: the scheduling thread.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/engine/engine.h"
#include "scheduler/explain/pod_edit.h"

namespace berth::explain {

// nullopt: no node lacks a resource, or no container requests more than the closest node lacks.
std::optional<PodEdit> LowerRequests(engine::Engine& engine, const api::Pod& pod, const std::vector<Group>& groups);

}  // namespace berth::explain
