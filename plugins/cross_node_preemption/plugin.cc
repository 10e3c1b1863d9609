// CrossNodePreemption: preempts pods of several nodes for a pod whose constraints concern more than one node. The SDK's
// engine chooses, evicts, and nominates; search.h finds the victims. Source: sigs.k8s.io/scheduler-plugins
// pkg/crossnodepreemption/cross_node_preemption.go.
#include <berth/plugin.hpp>
#include <berth/preemption.hpp>

#include <string_view>

#include "search.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class CrossNodePreemption {
 public:
  static constexpr Info kInfo{.name = "CrossNodePreemption", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_PREEMPTION_NEEDS};
  static constexpr std::string_view kUses[] = {BERTH_PREEMPTION_USES};
  // Registered so that the queue evaluates pods gated by PreEnqueue when pods are deleted; see Hint.
  static constexpr Interest kInterests[] = {{"Pod", BERTH_ACTION_DELETE}};

  explicit CrossNodePreemption(Host& host) : preemption_(host) {}
  void Activate() { preemption_.Activate(); }
  void Deactivate() { preemption_.Deactivate(); }

  Status PreEnqueue(Cycle&, const Pod& pod) {
    return preemption_.Running(pod) ? Status::Unresolvable(kRunning) : Status::Ok();
  }

  // A profile may enable only postFilter, so that nothing gates the pod.
  Status PostFilter(Cycle& cycle, const Pod& pod, const Diagnosis& why, Nomination& out) {
    if (preemption_.Running(pod)) return Status::Unschedulable(kRunning);
    return preemption_.Run(cycle, pod, why, out);
  }

  // The plugins that rejected a pod decide when it is worth a retry.
  bool Hint(Cycle&, const Event&, const Pod&) { return false; }

 private:
  static constexpr const char* kRunning = "waiting for the preemption for this pod to be finished";

  preemption::Preemption<preemption::DefaultRules, cross_node::CrossNodeSearch> preemption_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::CrossNodePreemption);
