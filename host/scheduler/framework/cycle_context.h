// The arguments that the steps of one scheduling cycle share: the framework, the state, and the pod that upstream
// passes to schedulePod (pkg/scheduler/schedule_one.go) and to the Run...Plugins methods of frameworkImpl
// (pkg/scheduler/framework/runtime/framework.go).
//
// Thread: the thread of the step. Ownership: refers to objects of the caller, which outlive the call.
#pragma once

#include <cstdint>

#include "api/pod.h"
#include "plugin/instance/cycle.h"
#include "scheduler/framework/attempt_trace.h"
#include "scheduler/framework/profile.h"

namespace berth::decisions {
class NodeTableWriter;
}

namespace berth::framework {

// The nodes that the result of a cycle describes. A record takes time for each node.
enum class RecordNodes : uint8_t {
  kNone,
  kChosen,  // the selected node with its scores
  kAll,     // every node that reached Filter
};

inline const AttemptTrace kNotTraced{};

struct CycleContext {
  Profile& profile;
  berth_cycle& cycle;  // began for this profile (plugin::BeginCycle); upstream's CycleState
  const api::Pod& pod;
  RecordNodes record = RecordNodes::kNone;
  bool sampled = false;  // ProfileTimes times the plugins of this cycle; upstream's ShouldRecordPluginMetrics
  const AttemptTrace& trace = kNotTraced;
  decisions::NodeTableWriter* table = nullptr;  // of the result of this cycle; null: it gets no table
  bool preview = false;                         // see SchedulingCycle::Preview

  bool keeps_scores() const { return record != RecordNodes::kNone || table != nullptr; }
};

}  // namespace berth::framework
