// What an Event FailedScheduling says after kube-scheduler's message, as a port: the texts are made above the engine.
// Thread: the scheduling thread, between two cycles.
#pragma once

#include <string>

#include "api/pod.h"
#include "scheduler/decisions/node_table.h"
#include "scheduler/engine/cluster_view.h"

namespace berth::engine {

class FailureNotes {
 public:
  virtual ~FailureNotes() = default;
  // For a pod that Filter plugins rejected on all nodes; the rows of the table are those of the cache. Sentences; "":
  // nothing more is known.
  virtual std::string DetailsOf(const ClusterView& view, const api::Pod& pod, const decisions::NodeTable& table) = 0;
};

}  // namespace berth::engine
