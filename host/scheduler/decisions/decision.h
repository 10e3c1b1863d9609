// One recorded attempt. A value. Thread: any may read it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/decisions/node_table.h"

namespace berth::decisions {

// As `berthctl simulate` names them.
enum class Result : uint8_t { kScheduled, kUnschedulable, kError };
std::string_view ResultName(Result result);

struct DecisionNumbers {
  uint64_t generation = 0;  // of the policy
  int64_t started_unix_ns = 0;
  int64_t cycle_ns = 0;  // to the choice of a node, or to the failure of the scheduling cycle
  int64_t total_ns = 0;  // to the end of the binding cycle, or to the failure
  uint32_t attempt = 0;  // of this pod, from 1
  uint32_t ties = 0;     // nodes with the highest total; kScheduled only
  uint32_t evaluated_nodes = 0, feasible_nodes = 0;
  Result result = Result::kError;
};

struct Decision : DecisionNumbers {
  uint64_t id = 0;                              // counts from 1
  std::string pod;                              // "namespace/name"
  std::string uid, profile;                     // of the pod; schedulerName
  std::string node;                             // kScheduled only
  std::string message;                          // "" if scheduled
  std::string nominated_node;                   // that PostFilter nominated
  std::vector<std::string> rejected_by;         // plugins because of which the pod waits
  std::shared_ptr<const NodeTable> nodes = {};  // null: not recorded for this attempt, or not any more

  size_t TextBytes() const {
    return sizeof *this + pod.size() + uid.size() + profile.size() + node.size() + message.size() +
           nominated_node.size();
  }
};

}  // namespace berth::decisions
