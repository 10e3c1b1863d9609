// PreemptionToleration: preempts like DefaultPreemption, except for pods whose PriorityClass tolerates it. Source:
// sigs.k8s.io/scheduler-plugins pkg/preemptiontoleration/preemption_toleration.go.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/preemption.hpp>
#include <berth/tasks.hpp>

#include <string_view>

#include "../common/candidate_args.h"
#include "../common/known_kind.h"
#include "policy.h"
#include "rules.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

struct PreemptionTolerationArgs : CandidateArgs {
  static PreemptionTolerationArgs Read(ArgsReader& in) {
    ExpectKind(in, "PreemptionToleration");
    return {CandidateArgs::Read(in, "PreemptionTolerationArgs")};
  }
};

class PreemptionToleration {
 public:
  static constexpr Info kInfo{.name = "PreemptionToleration", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_PREEMPTION_NEEDS};
  static constexpr std::string_view kUses[] = {BERTH_PREEMPTION_USES};
  // Registered so that the queue evaluates pods gated by PreEnqueue when pods are deleted; see Hint.
  static constexpr Interest kInterests[] = {{"Pod", BERTH_ACTION_DELETE}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { PreemptionTolerationArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { PreemptionTolerationArgs::Read(in); }

  explicit PreemptionToleration(Host& host)
      : host_(host),
        objects_(host),
        tasks_(host),
        facts_{preemption_toleration::Classes(host)},
        preemption_(host, {ReadArgs<PreemptionTolerationArgs>(host), facts_}) {}

  void Activate() {
    classes_ = objects_.Need("scheduling.k8s.io", "v1", "priorityclasses");
    preemption_.Activate();
  }
  void Deactivate() { preemption_.Deactivate(); }

  void ObjectChanged(ObjectKind kind, Object before, Object now) {
    if (kind != classes_) return;
    if (now) {
      Learn(now);
    } else {
      facts_.classes.Forget(before.name());
    }
  }

  Status PreEnqueue(Cycle&, const Pod& pod) {
    return preemption_.Running(pod) ? Status::Unresolvable(kRunning) : Status::Ok();
  }

  // A profile may enable only postFilter, so that nothing gates the pod.
  Status PostFilter(Cycle& cycle, const Pod& pod, const Diagnosis& why, Nomination& out) {
    if (preemption_.Running(pod)) return Status::Unschedulable(kRunning);
    facts_.now_unix_ns = tasks_.WallUnixNs();
    return preemption_.Run(cycle, pod, why, out);
  }

  // The plugins that rejected a pod decide when it is worth a retry.
  bool Hint(Cycle&, const Event&, const Pod&) { return false; }

 private:
  static constexpr const char* kRunning = "waiting for the preemption for this pod to be finished";

  void Learn(const Object& priority_class) {
    const auto [policy, error] = preemption_toleration::ParsePolicy(priority_class);
    facts_.classes.Set(priority_class.name(), policy);
    if (error.empty()) return;
    host_.Error("The preemption toleration of a PriorityClass cannot be read, its pods do not tolerate preemption",
                {{"priorityClass", priority_class.name()}, {"err", error}});
  }

  Host& host_;
  const Objects objects_;
  const Tasks tasks_;
  ObjectKind classes_ = 0;
  preemption_toleration::Facts facts_;
  preemption::Preemption<preemption_toleration::Rules> preemption_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::PreemptionToleration);
