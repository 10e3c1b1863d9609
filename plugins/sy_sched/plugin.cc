// SySched: prefers the nodes where a pod and the pods beside it are least exposed to system calls that they do not make
// themselves. Source: pkg/sysched/sysched.go of kubernetes-sigs/scheduler-plugins; docs/differences.md lists what
// differs.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "args.h"
#include "confinements.h"
#include "entrance.h"
#include "exposure.h"
#include "pods.h"
#include "profile_list.h"
#include "profiles.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names

class SySched {
 public:
  static constexpr Info kInfo{.name = "SySched", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS, BERTH_SERVICE_TASKS};
  static constexpr uint32_t kDeltas = BERTH_DELTA_PODS;
  static constexpr auto kNormalization = Normalization::kReverse;
  // Scores depend on profiles, so the host must not keep them.
  static constexpr Reuse kScoreReuse{.reuse = false, .total = true};
  std::vector<Interest> Interests() { return {}; }  // Entrance activates a pod that it holds back

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { sy_sched::SySchedArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { sy_sched::SySchedArgs::Read(in); }

  explicit SySched(Host& host) : SySched(host, ReadArgs<sy_sched::SySchedArgs>(host)) {}

  void Activate() {
    profile_kind_ = objects_.Need("security-profiles-operator.x-k8s.io", "v1beta1", "seccompprofiles");
    pod_kind_ = objects_.Need("", "v1", "pods");
  }

  void ObjectChanged(ObjectKind kind, Object before, Object now) {
    if (kind == profile_kind_) SetProfile(before, now);
    if (kind == pod_kind_) SetPod(before, now);
  }
  void Deltas(List<berth_delta> deltas) {
    for (const berth_delta& delta : deltas) {
      if (delta.kind == BERTH_DELTA_POD_ADD) pods_.Come(Pod(delta.pod).uid(), delta.row);
      if (delta.kind == BERTH_DELTA_POD_REMOVE) pods_.Go(Pod(delta.pod).uid());
    }
  }

  Status PreEnqueue(Cycle&, const Pod& pod) {
    if (entrance_.MayPass(pod.uid())) return Status::Ok();
    return Status::Unschedulable("waiting for the pod's security context");
  }

  Status Score(Cycle&, const Pod& pod, Rows rows, std::span<int64_t> out) {
    const auto confinement = pods_.Of(pod.uid());
    const int64_t count = confinements_.Count(confinement);
    if (count == 0) return out[0] = 0, Status::Uniform();
    const auto& calls = confinements_.CallsOf(confinement);
    rows.ForEach([&](uint32_t i, uint32_t row) { out[i] = exposure_.With(row, calls, count); });
    return Status::Ok();
  }

 private:
  SySched(Host& host, const sy_sched::SySchedArgs& args)
      : objects_(host),
        tasks_(host),
        confinements_(profiles_, sy_sched::ProfileKey(args.default_namespace, args.default_name)),
        exposure_(confinements_),
        pods_(confinements_, exposure_),
        entrance_(tasks_, pods_) {}

  void SetProfile(const Object& before, const Object& now) {
    const Object& named = now ? now : before;
    if (!profiles_.Set(sy_sched::ProfileKey(named.ns(), named.name()), now)) return;
    confinements_.Refresh();
    exposure_.Refresh();
  }
  void SetPod(const Object& before, const Object& now) {
    if (now) pods_.SetProfiles(now.uid(), sy_sched::ProfilesOf(now));
    if (before && (!now || before.uid() != now.uid())) {
      pods_.Forget(before.uid());
      entrance_.Release(before.uid());
    }
    if (now) entrance_.Release(now.uid());
  }
  const Objects objects_;
  const Tasks tasks_;
  sy_sched::Profiles profiles_;
  sy_sched::Confinements confinements_;
  sy_sched::Exposure exposure_;
  sy_sched::Pods pods_;
  sy_sched::Entrance entrance_;
  ObjectKind profile_kind_ = 0, pod_kind_ = 0;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::SySched);
