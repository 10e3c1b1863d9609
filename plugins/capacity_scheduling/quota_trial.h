// A trial that also asks the quotas: the pod fits only if its namespace stays within its max, and all namespaces within
// the sum of min, without the pods that have left. Source: SelectVictimsOnNode in
// pkg/capacityscheduling/capacity_scheduling.go of kubernetes-sigs/scheduler-plugins.
// Thread: [serial], in PostFilter. Ownership: everything outlives it.
#pragma once

#include <berth/preemption.hpp>

#include <cstdint>

#include "claim.h"
#include "ledger.h"
#include "quotas.h"
#include "requests.h"

namespace plugins::capacity_scheduling {

// The preemptor.
struct Preemptor {
  const Claim& claim;
  const Namespace* own;  // null: its namespace has no quota
};

class QuotaTrial {
 public:
  // exceeded: the reasons of rejections by the quotas.
  QuotaTrial(berth::sdk::Trial& trial, const Quotas& quotas, const Requests& requests, Ledger& ledger,
             const Preemptor& preemptor, uint32_t exceeded)
      : trial_(trial),
        quotas_(quotas),
        requests_(requests),
        ledger_(ledger),
        preemptor_(preemptor),
        exceeded_(exceeded) {
    ledger_.Start();
  }

  void Remove(const Pod& pod) {
    trial_.Remove(pod);
    if (const Namespace* ns = quotas_.With(pod.ns())) ledger_.Remove(*ns, requests_.Of(pod));
  }
  void Add(const Pod& pod) {
    trial_.Add(pod);
    if (const Namespace* ns = quotas_.With(pod.ns())) ledger_.Add(*ns, requests_.Of(pod));
    all_left_ = false;
  }
  berth::sdk::TrialVerdict Filter() {
    if (all_left_) return AfterAllLeft();
    return Exceeded(preemptor_.claim.of_namespace, preemptor_.claim.of_all) ? Rejected() : trial_.Filter();
  }

 private:
  // Nominated pods do not count here, and the reasons of the filters come first.
  berth::sdk::TrialVerdict AfterAllLeft() {
    const berth::sdk::TrialVerdict verdict = trial_.Filter();
    const Amounts& pod = preemptor_.claim.pod;
    return verdict.ok() && Exceeded(pod, pod) ? Rejected() : verdict;
  }
  bool Exceeded(const Amounts& of_namespace, const Amounts& of_all) const {
    return preemptor_.own != nullptr &&
           (ledger_.OverMaxWith(*preemptor_.own, of_namespace) || ledger_.PoolOverMinWith(of_all));
  }
  berth::sdk::TrialVerdict Rejected() const { return {{BERTH_UNSCHEDULABLE, {}, exceeded_}, berth::sdk::kNoId}; }

  berth::sdk::Trial& trial_;
  const Quotas& quotas_;
  const Requests& requests_;
  Ledger& ledger_;
  const Preemptor preemptor_;
  const uint32_t exceeded_;
  bool all_left_ = true;  // no pod has come back
};

}  // namespace plugins::capacity_scheduling
