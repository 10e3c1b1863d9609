// Preemption for PostFilter plugins: finds the node where the fewest and least important pods must leave so that the
// pod of the cycle fits, evicts them, and nominates the pod to it. It follows Kubernetes' rules; a plugin may change
// some:
//
//   struct Mine : sdk::preemption::DefaultRules {            // other rules: as in kube-scheduler
//     bool MayLeave(const Pod& victim, const Pod& preemptor) const { return victim.labels().Get(preemptible) == yes; }
//   };
//   explicit MyPreemption(Host& host) : preemption_(host, Mine{...}) {}
//   void Activate() { preemption_.Activate(); }
//   void Deactivate() { preemption_.Deactivate(); }
//   Status PreEnqueue(Cycle&, const Pod& pod) {
//     return preemption_.Running(pod) ? Status::Unresolvable("...") : Status::Ok();
//   }
//   Status PostFilter(Cycle& cycle, const Pod& pod, const Diagnosis& why, Nomination& out) {
//     return preemption_.Run(cycle, pod, why, out);
//   }
//   static constexpr std::string_view kNeeds[] = {BERTH_PREEMPTION_NEEDS};
//   static constexpr std::string_view kUses[] = {BERTH_PREEMPTION_USES};
//
// Rules may have two more members, without which kube-scheduler's rules apply:
//
//   // Whether the preemptor must wait for this pod of lower priority, which is terminating on the preemptor's //
//   nominated node. Default: if a preemption evicted it, and MayLeave.
//   bool WaitsFor(const Pod& terminating, const Pod& preemptor) const;
//   // The reason of a node on which no pod may be evicted. A message names at most kMostNamed nodes; if there // are
//   more, they share a reason as without this member.
//   std::string NoVictims(std::string_view node, const Pod& preemptor) const;
//
// A plugin whose victims do not depend on priorities alone replaces the selection on a node: preemption/selection.hpp.
// One whose victims are on several nodes replaces the whole search by a class with the public members of Search that
// Run uses, and kAcrossNodes = true. HTTP extenders do not take part then: their protocol has victims of one node only.
//
// The parts in preemption/ can be used separately: the order of victims, budgets, the dry run of one node, the choice
// among candidates, HTTP extenders, the executor. Threads: as the calls above. Several plugins of a profile may each
// have one. Source: k8s.io/kubernetes pkg/scheduler/framework/preemption and plugins/defaultpreemption.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "berth/preemption/executor.hpp"
#include "berth/preemption/extension.hpp"
#include "berth/preemption/search.hpp"

// The services without which there is no preemption; for a plugin's kNeeds.
#define BERTH_PREEMPTION_NEEDS                                                                                \
  BERTH_SERVICE_TRIAL, BERTH_SERVICE_NOMINATE, BERTH_SERVICE_API, BERTH_SERVICE_TASKS, BERTH_SERVICE_OBJECTS, \
      BERTH_SERVICE_MATCHING, BERTH_SERVICE_RANDOM

// Those that it uses if the host has them; for a plugin's kUses.
#define BERTH_PREEMPTION_USES BERTH_SERVICE_EXTENDERS, BERTH_SERVICE_METRICS

namespace berth::sdk::preemption {

struct DefaultRules {
  int32_t min_candidates_percentage = 10;  // of the nodes that preemption may help on
  int32_t min_candidates = 100;

  // Whether this pod of lower priority may be evicted. A TrialError fails the dry run of the pod's node.
  bool MayLeave(const Pod& /*victim*/, const Pod& /*preemptor*/) const { return true; }
  // A strict weak order; the more important pods of a node stay if either can.
  bool MoreImportant(const Victim& a, const Victim& b) const { return preemption::MoreImportant(a, b); }
  // How many candidates are enough among n nodes.
  uint32_t NumCandidates(uint32_t n) const {
    return preemption::NumCandidates(n, min_candidates_percentage, min_candidates);
  }
};

template <class Rules = DefaultRules, class Finder = Search>
class Preemption {
 public:
  explicit Preemption(Host& host, Rules rules = {})
      : never_(host.Intern("Never")), rules_(std::move(rules)), search_(host), extension_(host), executor_(host) {}

  void Activate() { search_.Activate(); }
  void Deactivate() { executor_.Close(); }

  // For PreEnqueue: the pod waits, because requests to evict its victims are still open.
  bool Running(const Pod& pod) { return executor_.Running(pod.uid()); }

  // For PostFilter. SUCCESS: victims are leaving, and the pod is nominated. UNSCHEDULABLE: it must not preempt (its
  // nomination stays), preemption helps on no node (its nomination is cleared), or extenders reject all candidates (its
  // nomination stays). ERROR: plugins failed and nothing was found, or an extender failed.
  Status Run(Cycle& cycle, const Pod& pod, const Diagnosis& why, Nomination& out) {
    if (const char* reason = WhyNot(cycle, pod, why)) return Status::Unschedulable(reason);
    if (cycle.snap().nodes() == 0) return Status::Error("no nodes available");
    const bool extended = !Finder::kAcrossNodes && extension_.Wanted(pod);
    search_.Run(cycle, pod, why, rules_, extended);
    Candidates& found = search_.candidates();
    if (!found.any()) {
      if (!search_.errors().empty()) return Status::Error(search_.errors().Text());
      out.Clear();
      return Status::Unschedulable(search_.Explain(cycle, pod, rules_));
    }
    if (extended) {
      Status answer = extension_.Ask(pod, found);
      if (!answer.ok()) return answer;
      if (!found.any()) return Status::Unschedulable("no candidate node for preemption");
    }
    const Id node = cycle.snap().At(found.row()).name();
    executor_.Start(pod, node, found.victims());
    out.Set(node);
    return Status::Ok();
  }

  // Null: the pod may preempt others. Source: PodEligibleToPreemptOthers.
  const char* WhyNot(Cycle& cycle, const Pod& pod, const Diagnosis& why) const {
    if (pod->preemption_policy == never_) return "not eligible due to preemptionPolicy=Never.";
    if (pod->nominated_node == kNoId || pod->nominated_node == kEmptyId) return nullptr;
    const std::optional<uint32_t> row = cycle.snap().RowOf(pod->nominated_node);
    if (!row || CodeOf(why, *row) == BERTH_UNRESOLVABLE) return nullptr;
    for (const Pod other : cycle.snap().Pods(*row)) {
      if (other->deletion_unix_ns != BERTH_NO_TIME && other.priority() < pod.priority() && WaitsFor(other, pod)) {
        return "not eligible due to a terminating pod on the nominated node.";
      }
    }
    return nullptr;
  }

 private:
  bool WaitsFor(const Pod& terminating, const Pod& preemptor) const {
    if constexpr (requires { rules_.WaitsFor(terminating, preemptor); }) {
      return rules_.WaitsFor(terminating, preemptor);
    } else {
      return terminating.Has(BERTH_POD_HAS_PREEMPTED) && rules_.MayLeave(terminating, preemptor);
    }
  }

  const Id never_;
  const Rules rules_;
  Finder search_;
  Extension extension_;
  Executor executor_;
};

}  // namespace berth::sdk::preemption
