// The rules of preemption across quotas: which pods may be evicted for a pod, and when a pod must not preempt.
//
// A pod whose namespace has no quota preempts pods of lower priority whose namespaces have none either. If its
// namespace would exceed its min, it preempts pods of lower priority in its own namespace. Otherwise other namespaces
// use the min of its namespace, and it preempts pods, of any priority, of other namespaces that exceed their min.
//
// Source: PodEligibleToPreemptOthers and SelectVictimsOnNode in pkg/capacityscheduling/capacity_scheduling.go of
// kubernetes-sigs/scheduler-plugins. Thread: [serial], in PostFilter. Ownership: quotas and requests outlive it.
#pragma once

#include <berth/calls.hpp>
#include <berth/preemption.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "claim.h"
#include "ledger.h"
#include "quota_trial.h"
#include "quotas.h"
#include "requests.h"

namespace plugins::capacity_scheduling {

namespace preemption = berth::sdk::preemption;

class VictimRules : public preemption::DefaultRules {
 public:
  VictimRules(const Quotas& quotas, const Requests& requests)
      : quotas_(&quotas), requests_(&requests), ledger_(std::make_unique<Ledger>(quotas)) {}

  // Every node is tried.
  uint32_t NumCandidates(uint32_t n) const { return n; }
  // WhyNot below decides about terminating pods, and SelectVictims about all others.
  bool MayLeave(const Pod&, const Pod&) const { return false; }

  // Null: the pod may preempt others.
  const char* WhyNot(berth::sdk::Cycle& cycle, const Pod& pod, const berth::sdk::Diagnosis& why, Id never) const {
    if (pod->preemption_policy == never) return "not eligible due to preemptionPolicy=Never.";
    const Claim* claim = cycle.Find<Claim>();
    if (claim == nullptr) return "not eligible due to failed to read from cycleState";
    if (pod->nominated_node == berth::sdk::kNoId || pod->nominated_node == berth::sdk::kEmptyId) return nullptr;
    const std::optional<uint32_t> row = cycle.snap().RowOf(pod->nominated_node);
    if (!row || preemption::CodeOf(why, *row) == BERTH_UNRESOLVABLE) return nullptr;
    const Choice choice = ChoiceFor(pod, *claim);
    for (const Pod other : cycle.snap().Pods(*row)) {
      if (other->deletion_unix_ns != BERTH_NO_TIME && MakesRoom(other, pod, choice)) {
        return "not eligible due to a terminating pod on the nominated node.";
      }
    }
    return nullptr;
  }

  template <class Node>
  preemption::TryResult SelectVictims(Node& node) const {
    const Claim& claim = node.cycle().template Get<Claim>();
    const Pod& pod = node.preemptor();
    const Choice choice = ChoiceFor(pod, claim);
    for (const Pod other : node.pods()) {
      if (MayBeAsked(other, pod, choice)) node.Ask(other);
    }
    if (choice.who == Who::kBorrowers) KeepBorrowers(node.asked());
    if (node.asked().empty()) return preemption::TryResult::kNoVictims;
    berth::sdk::Trial trial = node.Open();
    const uint32_t exceeded = node.cycle().Reasons("global quota max exceeded").number;
    QuotaTrial quota_trial(trial, *quotas_, *requests_, *ledger_, {claim, choice.own}, exceeded);
    return node.Try(quota_trial);
  }

 private:
  enum class Who {
    kWithoutQuota,  // pods of namespaces without a quota
    kOwn,           // pods of its own namespace
    kBorrowers,     // pods of other namespaces that exceed their min
  };
  struct Choice {
    Who who;
    const Namespace* own;  // null: the namespace has no quota
  };

  Choice ChoiceFor(const Pod& pod, const Claim& claim) const {
    const Namespace* own = quotas_->With(pod.ns());
    if (own == nullptr) return {Who::kWithoutQuota, own};
    return {OverMinWith(*own->quota, own->used, claim.of_namespace) ? Who::kOwn : Who::kBorrowers, own};
  }

  bool MayBeAsked(const Pod& other, const Pod& pod, const Choice& choice) const {
    const Namespace* ns = quotas_->With(other.ns());
    const bool lower = other.priority() < pod.priority(), same = other.ns() == pod.ns();
    switch (choice.who) {
      case Who::kWithoutQuota: return ns == nullptr && lower;
      case Who::kOwn: return same && lower;
      case Who::kBorrowers: return !same && ns != nullptr && OverMin(*ns->quota, ns->used);
    }
    return false;
  }

  // Whether a pod that is terminating makes room that the pod can use. A pod of the same namespace always does.
  bool MakesRoom(const Pod& other, const Pod& pod, const Choice& choice) const {
    const bool own = choice.own != nullptr && other.ns() == pod.ns();
    return own ? other.priority() < pod.priority() : MayBeAsked(other, pod, choice);
  }

  // Of each namespace, the least important pods until it no longer exceeds its min.
  void KeepBorrowers(std::vector<preemption::Victim>& asked) const {
    std::sort(asked.begin(), asked.end(), [this](const auto& a, const auto& b) { return MoreImportant(b, a); });
    ledger_->Start();
    size_t kept = 0;
    for (const preemption::Victim& victim : asked) {
      const Namespace& ns = *quotas_->With(victim.pod.ns());
      if (!ledger_->OverMin(ns)) continue;
      ledger_->Remove(ns, requests_->Of(victim.pod));
      asked[kept++] = victim;
    }
    asked.resize(kept);
  }

  const Quotas* quotas_;
  const Requests* requests_;
  std::unique_ptr<Ledger> ledger_;
};

}  // namespace plugins::capacity_scheduling
