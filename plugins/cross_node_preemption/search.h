// The search for victims on several nodes, in place of preemption::Search. Thread: serial, in PostFilter; memory is
// kept from search to search. Source: sigs.k8s.io/scheduler-plugins pkg/crossnodepreemption (FindCandidates,
// bruteForceDryRunPreemption).
#pragma once

#include <berth/preemption.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sets.h"
#include "victim_sets.h"

namespace plugins::cross_node {

// How many sets of pods an attempt tries. All sets of twelve pods are fewer.
inline constexpr uint32_t kMostSets = 4096;

class CrossNodeSearch {
 public:
  static constexpr bool kAcrossNodes = true;

  explicit CrossNodeSearch(berth::sdk::Host& host) : trials_(host), budgets_(host) {}

  void Activate() { budgets_.Need(); }

  template <class Rules>
  void Run(berth::sdk::Cycle& cycle, const berth::sdk::Pod& pod, const berth::sdk::Diagnosis& why, const Rules& rules,
           bool /*keep_all*/) {
    errors_.Clear();
    candidates_.Start(1);
    end_ = End::kComplete;
    Gather(cycle.snap(), pod, why, rules);
    if (!pods_.empty()) Try(cycle);
  }

  const preemption::Candidates& candidates() const { return candidates_; }
  preemption::Candidates& candidates() { return candidates_; }
  const preemption::ErrorTexts& errors() const { return errors_; }

  // Why there is no candidate.
  template <class Rules>
  std::string Explain(berth::sdk::Cycle& cycle, const berth::sdk::Pod&, const Rules&) const {
    const uint32_t all = cycle.snap().nodes();
    preemption::FitError error(all);
    error.Add("No preemption victims found for incoming pod", nodes_);
    error.Add("Preemption is not helpful for scheduling", all - nodes_);
    return error.Text() + EndText();
  }

 private:
  enum class End { kComplete, kBound, kCanceled };

  std::string EndText() const {
    if (end_ == End::kCanceled) return " The attempt was canceled during the search.";
    return end_ == End::kBound ? " The search ended after " + std::to_string(kMostSets) + " sets of pods." : "";
  }
  // The pods of lower priority on nodes where preemption may help, the least important first.
  template <class Rules>
  void Gather(const berth::sdk::Snapshot& snap, const berth::sdk::Pod& pod, const berth::sdk::Diagnosis& why,
              const Rules& rules) {
    pods_.clear();
    nodes_ = 0;
    for (const uint32_t row : snap.order()) {
      if (preemption::CodeOf(why, row) == BERTH_UNRESOLVABLE) continue;
      ++nodes_;
      for (const berth::sdk::Pod other : snap.Pods(row)) {
        if (other.priority() >= pod.priority() || !rules.MayLeave(other, pod)) continue;
        pods_.push_back({{other, static_cast<uint32_t>(pods_.size())}, row});
      }
    }
    const size_t n = std::min<size_t>(pods_.size(), kMostSets);  // the walk does not reach the others
    std::partial_sort(pods_.begin(), pods_.begin() + static_cast<std::ptrdiff_t>(n), pods_.end(),
                      [&rules](const Movable& a, const Movable& b) { return rules.MoreImportant(b.victim, a.victim); });
    pods_.resize(n);
  }

  // A plugin that fails leaves the trial in an unknown state, which ends the search.
  void Try(berth::sdk::Cycle& cycle) {
    try {
      berth::sdk::Trial trial = trials_.Open(cycle, pods_.front().row);
      VictimSets sets(cycle, trial, pods_, budgets_, candidates_);
      const bool within = SetWalk(sets, static_cast<uint32_t>(pods_.size()), kMostSets).Run();
      end_ = sets.canceled() ? End::kCanceled : within ? End::kComplete : End::kBound;
    } catch (const berth::sdk::TrialError& e) {
      errors_.Add(e.what());
    }
  }

  berth::sdk::Trials trials_;
  preemption::BudgetSource budgets_;
  preemption::Candidates candidates_;
  preemption::ErrorTexts errors_;
  std::vector<Movable> pods_;
  uint32_t nodes_ = 0;  // where preemption may help
  End end_ = End::kComplete;
};

}  // namespace plugins::cross_node
