// What a scheduling cycle returns: the selected node, or the reason why there is none, with what the failure handler
// needs. Source: ScheduleResult and the statuses of schedulingCycle in pkg/scheduler/schedule_one.go.
//
// Thread: scheduling thread. Ownership: values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plugin/instance/status.h"
#include "scheduler/cache/cache.h"
#include "scheduler/decisions/node_table.h"
#include "scheduler/decisions/victim.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::cycle {

// One node of an attempt, for reports such as those of berthctl.
struct NodeRecord {
  std::string name;
  plugin::Code verdict = plugin::Code::kSuccess;
  std::string plugin;  // that rejected the node: a plugin's name, or an extender's urlPrefix
  std::vector<std::string> reasons;
  std::vector<std::pair<std::string, int64_t>> scores;  // plugin -> normalized score x weight, extender -> its part
  int64_t total = 0;
};

enum class Outcome : uint8_t {
  kChosen,    // node_name is set; Reserve or Permit can still reject the pod
  kNoNodes,   // the cluster has no nodes
  kFitError,  // no node passed; unschedulable_plugins is set
  kError,     // a plugin or an extender failed
};

struct CycleResult {
  Outcome outcome = Outcome::kError;
  plugin::Status status;  // for the failure handler; Success if a node was selected
  std::string message;    // for the PodScheduled condition and the FailedScheduling event; empty on success

  uint32_t row = cache::kNoRow;
  std::string node_name;
  uint32_t ties = 0;  // nodes that have the highest total
  uint32_t evaluated_nodes = 0, feasible_nodes = 0;

  queue::PluginSet unschedulable_plugins, pending_plugins;
  std::map<std::string, uint64_t> rejected_nodes;  // by reason, as in the message of kFitError
  queue::NominatingInfo nominating;
  std::vector<decisions::Victim> victims;  // of the nominated node, with CycleContext::table; at most kMaxVictims
  uint32_t n_victims = 0;                  // all of them
  std::vector<NodeRecord> nodes;           // as CycleContext::record says; in snapshot order
  std::shared_ptr<const decisions::NodeTable> table;  // null without CycleContext::table, and without nodes

  void Reset();
};

// The message of a pod that one plugin rejected on its selected node: "0/1 nodes are available: 1 REASON."
std::string OneNodeFitError(const plugin::Status& status);

}  // namespace berth::cycle
