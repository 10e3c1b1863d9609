// One node tried: which of its pods would have to leave for the pod of the cycle to fit? Serial; memory is kept.
// Source: k8s.io/kubernetes pkg/scheduler/framework/plugins/defaultpreemption (SelectVictimsOnNode).
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "berth/preemption/budgets.hpp"
#include "berth/preemption/victims.hpp"
#include "berth/trial.hpp"

namespace berth::sdk::preemption {

// A row in which pods leave and come back: sdk::Trial, or a test's. All throw TrialError when a plugin fails.
template <class T>
concept IsTrial = requires(T& trial, const Pod& pod) {
  trial.Remove(pod);
  trial.Add(pod);
  { trial.Filter() } -> std::same_as<TrialVerdict>;
};

enum class TryResult {
  kCandidate,  // victims() is not empty
  kRejected,   // reasons(): the pod does not fit even without them
  kNobody,     // it fits with everybody in place, which nobody expected
  kNoVictims,  // nobody may be asked to leave: nothing was tried
};

class DryRun {
 public:
  // victims: all pods of the row that may be asked to leave, not empty, in the row's order; they come back sorted.
  // matches: see Budgets::MarkViolating. Throws TrialError. The trial is left as it happens to be: close it.
  template <IsTrial Trial, class Less, class Matches>
  TryResult Try(Trial& trial, std::vector<Victim>& victims, Budgets& budgets, const Less& more_important,
                const Matches& matches) {
    chosen_.clear();
    violations_ = 0;
    for (const Victim& victim : victims) trial.Remove(victim.pod);
    const TrialVerdict empty = trial.Filter();
    reasons_ = empty.verdict.reasons;
    if (!empty.ok()) return TryResult::kRejected;

    // Those come back first who matter most, and before all others those whose budget would be overdrawn.
    SortByImportance(victims, more_important);
    const uint32_t violating = budgets.MarkViolating(victims, matches);
    if (violating > 0) Reprieve(trial, victims, true);
    violations_ = static_cast<uint32_t>(chosen_.size());
    if (violating < victims.size()) Reprieve(trial, victims, false);
    if (violating > 0 && violating < victims.size()) SortAgain(chosen_, more_important);
    return chosen_.empty() ? TryResult::kNobody : TryResult::kCandidate;
  }

  std::vector<Victim>& victims() { return chosen_; }  // who must leave, the most important first
  uint32_t violations() const { return violations_; }
  uint32_t reasons() const { return reasons_; }

 private:
  // Lets everybody of the group back in with whom the pod still fits.
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

  // A filter that fails counts as one that rejects here, as upstream has it.
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
