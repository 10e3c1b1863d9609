// What the pod of an attempt requests from the quotas: its request, and the requests of nominated pods, for which
// victims are leaving. Source: PreFilter in pkg/capacityscheduling/capacity_scheduling.go of
// kubernetes-sigs/scheduler-plugins. Thread: [serial]. Ownership: a Claim is data of the attempt.
#pragma once

#include <berth/nominate.hpp>
#include <berth/plugin.hpp>

#include "amounts.h"
#include "quotas.h"
#include "requests.h"

namespace plugins::capacity_scheduling {

struct Claim {
  Amounts pod;
  // With the nominated pods of its namespace that are at least as important.
  Amounts of_namespace;
  // And with those of namespaces that do not exceed their min.
  Amounts of_all;
};

class Claims {
 public:
  Claims(const Host& host, const Quotas& quotas, const Requests& requests)
      : nominations_(host), quotas_(quotas), requests_(requests) {}

  // The sums of a namespace without a quota are not needed, and stay empty.
  void Make(berth::sdk::Cycle& cycle, const Pod& pod, Claim& claim) const {
    claim.pod = requests_.Of(pod);
    if (quotas_.With(pod.ns()) == nullptr) return;
    for (const Id node : nominations_.Nodes()) {
      if (!cycle.snap().RowOf(node)) continue;
      for (const Pod other : nominations_.OfNode(node)) {
        if (other.uid() != pod.uid()) AddNominated(pod, other, claim);
      }
    }
    claim.of_namespace.Add(claim.pod);
    claim.of_all.Add(claim.pod);
  }

 private:
  void AddNominated(const Pod& pod, const Pod& other, Claim& claim) const {
    const Namespace* others = quotas_.With(other.ns());
    if (others == nullptr) return;
    const bool same = other.ns() == pod.ns();
    if (same ? other.priority() < pod.priority() : OverMin(*others->quota, others->used)) return;
    const Amounts request = requests_.Of(other);
    if (same) claim.of_namespace.Add(request);
    claim.of_all.Add(request);
  }

  const berth::sdk::Nominations nominations_;
  const Quotas& quotas_;
  const Requests& requests_;
};

}  // namespace plugins::capacity_scheduling
