// Tries one node: finds the pods that must leave so that the pod of the cycle fits. Serial; memory is kept. Source:
// k8s.io/kubernetes pkg/scheduler/framework/plugins/defaultpreemption (SelectVictimsOnNode).
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "berth/preemption/budgets.hpp"
#include "berth/preemption/victims.hpp"
#include "berth/trial.hpp"

namespace berth::sdk::preemption {

// A row on which pods leave and come back: sdk::Trial, or a test's type. All throw TrialError if a plugin fails.
template <class T>
concept IsTrial = requires(T& trial, const Pod& pod) {
  trial.Remove(pod);
  trial.Add(pod);
  { trial.Filter() } -> std::same_as<TrialVerdict>;
};

enum class TryResult {
  kCandidate,  // victims() is not empty
  kRejected,   // reasons(): the pod does not fit even without them
  kNobody,     // it unexpectedly fits with all pods in place
  kNoVictims,  // no pod may be evicted: nothing was tried
};

class DryRun {
 public:
  // victims: all pods of the row that may be evicted, not empty, in the row's order; they are returned sorted. matches:
  // see Budgets::MarkViolating. Throws TrialError. The state of the trial is undefined afterwards: close it.
  template <IsTrial Trial, class Less, class Matches>
  TryResult Try(Trial& trial, std::vector<Victim>& victims, Budgets& budgets, const Less& more_important,
                const Matches& matches) {
    chosen_.clear();
    violations_ = 0;
    for (const Victim& victim : victims) trial.Remove(victim.pod);
    const TrialVerdict empty = trial.Filter();
    reasons_ = empty.verdict.reasons;
    if (!empty.ok()) return TryResult::kRejected;

    // The most important pods come back first; pods whose budget would be exceeded come before all others.
    SortByImportance(victims, more_important);
    const uint32_t violating = budgets.MarkViolating(victims, matches);
    if (violating > 0) Reprieve(trial, victims, true);
    violations_ = static_cast<uint32_t>(chosen_.size());
    if (violating < victims.size()) Reprieve(trial, victims, false);
    if (violating > 0 && violating < victims.size()) SortAgain(chosen_, more_important);
    return chosen_.empty() ? TryResult::kNobody : TryResult::kCandidate;
  }

  std::vector<Victim>& victims() { return chosen_; }  // pods that must leave, the most important first
  uint32_t violations() const { return violations_; }
  uint32_t reasons() const { return reasons_; }

 private:
  // Adds back each pod of the group with which the preemptor still fits.
  template <class Trial>
  void Reprieve(Trial& trial, const std::vector<Victim>& victims, bool violating) {
    for (const Victim& victim : victims) {
      if (victim.violates != violating) continue;
      trial.Add(victim.pod);
      if (Fits(trial)) continue;
      trial.Remove(victim.pod);
      chosen_.push_back(victim);
    }
  }

  // Here, a filter that fails counts as one that rejects, as upstream.
  template <class Trial>
  static bool Fits(Trial& trial) {
    try {
      return trial.Filter().ok();
    } catch (const TrialError&) {
      return false;
    }
  }

  std::vector<Victim> chosen_;
  uint32_t violations_ = 0, reasons_ = 0;
};

}  // namespace berth::sdk::preemption
