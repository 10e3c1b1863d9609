// DefaultPreemption: if a pod fits on no node, deletes pods of lower priority on one node. The SDK contains the engine
// (berth/preemption.hpp), which other plugins can use. This file contains the args and messages. Source:
// pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go.
#include <berth/plugin.hpp>
#include <berth/preemption.hpp>

#include "../common/candidate_args.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct DefaultPreemptionArgs : CandidateArgs {
  static DefaultPreemptionArgs Read(ArgsReader& in) { return {CandidateArgs::Read(in, "DefaultPreemptionArgs")}; }
};

class DefaultPreemption {
 public:
  static constexpr Info kInfo{.name = "DefaultPreemption", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_PREEMPTION_NEEDS};
  static constexpr std::string_view kUses[] = {BERTH_PREEMPTION_USES};
  // Registered so that the queue evaluates pods gated by PreEnqueue when pods are deleted; see Hint.
  static constexpr Interest kInterests[] = {{"Pod", BERTH_ACTION_DELETE}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { DefaultPreemptionArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { DefaultPreemptionArgs::Read(in); }

  explicit DefaultPreemption(Host& host) : preemption_(host, RulesOf(ReadArgs<DefaultPreemptionArgs>(host))) {}
  void Activate() { preemption_.Activate(); }
  void Deactivate() { preemption_.Deactivate(); }

  Status PreEnqueue(Cycle&, const Pod& pod) {
    if (!preemption_.Running(pod)) return Status::Ok();
    return Status::Unresolvable("waiting for the preemption for this pod to be finished");
  }

  Status PostFilter(Cycle& cycle, const Pod& pod, const Diagnosis& why, Nomination& out) {
    const Status status = preemption_.Run(cycle, pod, why, out);
    if (status.ok()) return Status::Ok();
    return Status(status.code(), {"preemption: " + status.reasons().front()});
  }

  // The plugins that rejected a pod decide when it is worth a retry.
  bool Hint(Cycle&, const Event&, const Pod&) { return false; }

 private:
  static preemption::DefaultRules RulesOf(const DefaultPreemptionArgs& args) {
    return {.min_candidates_percentage = args.percentage, .min_candidates = args.absolute};
  }

  preemption::Preemption<> preemption_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::DefaultPreemption);
