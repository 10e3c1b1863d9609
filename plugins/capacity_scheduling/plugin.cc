// CapacityScheduling: namespaces share the cluster by their ElasticQuotas: each is guaranteed its min, and may use up
// to its max as long as all together use no more than the sum of min. Source: pkg/capacityscheduling of
// kubernetes-sigs/scheduler-plugins; docs/differences.md lists what differs.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/preemption.hpp>

#include <string>
#include <string_view>

#include "books.h"
#include "claim.h"
#include "quotas.h"
#include "victims.h"

namespace plugins {

using namespace berth::sdk;           // NOLINT: a plugin uses the SDK's names
using namespace capacity_scheduling;  // NOLINT: and its own

class CapacityScheduling {
 public:
  static constexpr Info kInfo{.name = "CapacityScheduling", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_PREEMPTION_NEEDS};
  static constexpr std::string_view kUses[] = {BERTH_PREEMPTION_USES};
  static constexpr uint32_t kDeltas = BERTH_DELTA_PODS;
  static constexpr bool kHoldsNoAttempts = true;  // what a reserved pod uses is in the deltas
  // Upstream registers deleted pods and all changes of quotas. Here a pod that is resized frees its quota too.
  static constexpr Interest kInterests[] = {{"Pod", BERTH_ACTION_DELETE | BERTH_ACTION_UPDATE_POD_SCALE_DOWN, false},
                                            {"elasticquotas.v1alpha1.scheduling.x-k8s.io", BERTH_ACTION_ALL, false}};

  explicit CapacityScheduling(Host& host)
      : host_(host),
        never_(host.Intern("Never")),
        books_(host),
        claims_(host, quotas_, books_.requests()),
        preemption_(host, {quotas_, books_.requests()}),
        rules_(quotas_, books_.requests()) {}

  void Activate() {
    books_.Activate();
    preemption_.Activate();
  }
  void Deactivate() { preemption_.Deactivate(); }
  void ObjectChanged(ObjectKind kind, Object before, Object now) { books_.ObjectChanged(kind, before, now); }
  void Deltas(List<berth_delta> deltas) { books_.Take(deltas); }
  std::string Dump() { return quotas_.Dump(); }

  Status PreEnqueue(Cycle&, const Pod& pod) {
    if (!preemption_.Running(pod)) return Status::Ok();
    return Status::Unresolvable("waiting for the preemption for this pod to be finished");
  }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    Claim& claim = cycle.Set<Claim>();
    claims_.Make(cycle, pod, claim);
    const Namespace* own = quotas_.With(pod.ns());
    if (own == nullptr) return Status::Ok();
    if (OverMaxWith(*own->quota, own->used, claim.of_namespace)) {
      return Reject(pod, "ElasticQuota " + std::string(host_.Text(pod.ns())) + " is more than Max");
    }
    if (PoolOverMinWith(quotas_.used(), quotas_.min(), claim.of_all)) {
      return Reject(pod, "total ElasticQuota used is more than min");
    }
    return Status::Ok();
  }

  Status PostFilter(Cycle& cycle, const Pod& pod, const Diagnosis& why, Nomination& out) {
    if (const char* reason = rules_.WhyNot(cycle, pod, why, never_)) return Status::Unschedulable(reason);
    return preemption_.Run(cycle, pod, why, out);
  }

  // Before the next attempt, a delta reports that the assumed pod counts, or no longer counts.
  Status Reserve(Cycle&, const Pod&, Id) { return Status::Ok(); }
  void Unreserve(Cycle&, const Pod&, Id) {}

 private:
  Status Reject(const Pod& pod, const std::string& why) const {
    return Status::Unschedulable("Pod " + std::string(host_.Text(pod.ns())) + "/" + std::string(pod.name()) +
                                 " is rejected in PreFilter because " + why);
  }

  Host& host_;
  const Id never_;
  Books books_;
  const Quotas& quotas_ = books_.quotas();
  const Claims claims_;
  preemption::Preemption<VictimRules> preemption_;
  const VictimRules rules_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::CapacityScheduling);
