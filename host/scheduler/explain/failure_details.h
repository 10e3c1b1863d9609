// What the Event FailedScheduling says after kube-scheduler's message. Thread: the scheduling thread, between two
// cycles.
#pragma once

#include <string>

#include "scheduler/engine/failure_notes.h"

namespace berth::explain {

// "Closest: node-17 lacks 300m cpu. Taints: dedicated=gpu:NoSchedule (700 nodes)."
class FailureDetails final : public engine::FailureNotes {
 public:
  std::string DetailsOf(const engine::ClusterView& view, const api::Pod& pod,
                        const decisions::NodeTable& table) override;
};

}  // namespace berth::explain
