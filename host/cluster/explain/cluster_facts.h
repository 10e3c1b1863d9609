// The queue and the nodes as JSON. The scheduling thread copies what it knows; any thread writes the text of the copy.
// docs/decisions.md describes the format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/intern_tables.h"
#include "api/node.h"
#include "scheduler/engine/engine.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::explain {

struct PendingPod {
  std::string pod, profile, where, message;
  uint32_t attempts = 0;
  int64_t added_unix_ns = INT64_MIN;
  std::vector<std::string> rejected_by;
};
struct QueueCopy {
  queue::QueueCounts counts;
  size_t binding = 0, total = 0;
  std::vector<PendingPod> pods;
};
// Scheduling thread. limit: the most pods to copy, in the order active, backoff, unschedulable.
QueueCopy CopyQueue(engine::Engine& engine, const api::InternTables& intern, size_t limit);
std::string QueueText(const QueueCopy& copy);

struct NodeCopy {
  api::NodeRef node;
  int64_t pods = 0;
  int64_t allocatable[3] = {}, requested[3] = {};  // kResources
};
inline constexpr const char* kResources[3] = {"cpu", "memory", "pods"};  // millicores, bytes, a number
// Scheduling thread. In snapshot order.
std::vector<NodeCopy> CopyNodes(engine::Engine& engine, const api::InternTables& intern);
// labels: the keys whose values the text has.
std::string NodesText(const std::vector<NodeCopy>& nodes, const api::InternTables& intern,
                      const std::vector<std::string>& labels);

}  // namespace berth::explain
