// The search for a node on which pods can leave for the preemptor: dry runs over the nodes on which preemption may
// help, from a random one on, until there are enough candidates. Serial; memory is kept from search to search. Source:
// k8s.io/kubernetes pkg/scheduler/framework/preemption/preemption.go (findCandidates, DryRunPreemption).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "berth/calls.hpp"
#include "berth/cycle.hpp"
#include "berth/preemption/budget_source.hpp"
#include "berth/preemption/candidate.hpp"
#include "berth/preemption/dry_run.hpp"
#include "berth/preemption/fit_error.hpp"
#include "berth/preemption/selection.hpp"
#include "berth/trial.hpp"

namespace berth::sdk::preemption {

// The verdict of Filter for a row; rows that were not examined share one verdict.
inline berth_status CodeOf(const Diagnosis& why, uint32_t row) {
  const berth_verdict& own = why.verdict(row);
  return own.code != BERTH_SUCCESS ? own.code : why.absent().code;
}

// A number in 0 ... n-1, n > 0, that spreads the seeds of attempts evenly.
inline uint32_t OffsetOf(uint64_t seed, uint32_t n) {
  seed += 0x9e3779b97f4a7c15u;  // splitmix64
  seed = (seed ^ seed >> 30) * 0xbf58476d1ce4e5b9u;
  seed = (seed ^ seed >> 27) * 0x94d049bb133111ebu;
  seed ^= seed >> 31;
  return static_cast<uint32_t>((seed >> 32) * n >> 32);
}

// A message with the name of every node would exceed what the API server stores.
inline constexpr uint32_t kMostNamed = 16;

class Search {
 public:
  static constexpr bool kAcrossNodes = false;  // all victims are on the candidate's node

  explicit Search(Host& host) : trials_(host), budgets_(host) {}

  void Activate() { budgets_.Need(); }  // in the plugin's Activate

  // [serial] in PostFilter. Rules: see preemption.hpp. keep_all: as Candidates::Start.
  template <class Rules>
  void Run(Cycle& cycle, const Pod& pod, const Diagnosis& why, const Rules& rules, bool keep_all = false) {
    Gather(cycle.snap(), why);
    rejected_.Clear();
    errors_.Clear();
    without_victims_ = 0;
    const auto n = static_cast<uint32_t>(rows_.size());
    candidates_.Start(rules.NumCandidates(n), keep_all);
    if (n == 0) return;
    Budgets& budgets = budgets_.Current();
    const uint32_t offset = OffsetOf(cycle.Seed(), n);
    const auto row_at = [&](uint32_t i) { return rows_[i < n - offset ? offset + i : i - (n - offset)]; };
    for (uint32_t i = 0; i < n && !candidates_.Enough(); ++i) {
      if (i % 64 == 63 && cycle.Cancelled()) return;
      if (i + 1 < n) Approach(cycle.snap(), row_at(i + 1));
      if constexpr (SelectsVictims<Rules>) {
        Select(cycle, pod, row_at(i), budgets, rules);
      } else {
        Try(cycle, pod, row_at(i), budgets, rules);
      }
    }
  }

  const Candidates& candidates() const { return candidates_; }
  Candidates& candidates() { return candidates_; }
  const ErrorTexts& errors() const { return errors_; }  // of plugins that failed in trials

  // Why there is no candidate, after a Run with these rules that found none.
  template <class Rules>
  std::string Explain(Cycle& cycle, const Pod& pod, const Rules& rules) const {
    const uint32_t all = cycle.snap().nodes();
    FitError error(all);
    for (const auto& [list, nodes] : rejected_.lists()) {
      for (const berth_str& reason : cycle.ReasonTexts(list)) error.Add(View(reason), nodes);
    }
    AddWithoutVictims(error, cycle, pod, rules);
    error.Add("Preemption is not helpful for scheduling", all - rejected_.nodes() - without_victims_);
    return error.Text();
  }

 private:
  // In the order of the snapshot.
  void Gather(const Snapshot& snap, const Diagnosis& why) {
    rows_.clear();
    for (const uint32_t row : snap.order()) {
      if (CodeOf(why, row) == BERTH_UNSCHEDULABLE) rows_.push_back(row);
    }
  }

  // Prefetches the data of the row's pods while another row is tried: the pods are far apart in memory, and waiting for
  // each in turn would take as long as the try.
  static void Approach(const Snapshot& snap, uint32_t row) {
    for (const Pod pod : snap.Pods(row)) {
      __builtin_prefetch(&pod->priority);
      __builtin_prefetch(&pod->resources);
      __builtin_prefetch(&pod->start_unix_ns);
    }
  }

  template <class Rules>
  void Try(Cycle& cycle, const Pod& pod, uint32_t row, Budgets& budgets, const Rules& rules) {
    try {
      lower_.clear();
      for (const Pod other : cycle.snap().Pods(row)) {
        if (other.priority() >= pod.priority() || !rules.MayLeave(other, pod)) continue;
        lower_.emplace_back(other, static_cast<uint32_t>(lower_.size()));
      }
      if (lower_.empty()) return NoteWithoutVictims(row);
      Trial trial = trials_.Open(cycle, row);
      Take(cycle, row, TryWith(trial, budgets, rules));
    } catch (const TrialError& e) {
      errors_.Add(e.what());
    }
  }

  void NoteWithoutVictims(uint32_t row) {
    if (without_victims_ < kMostNamed) rows_without_victims_[without_victims_] = row;
    ++without_victims_;
  }

  template <class Rules>
  void AddWithoutVictims(FitError& error, Cycle& cycle, const Pod& pod, const Rules& rules) const {
    if constexpr (requires { rules.NoVictims(std::string_view(), pod); }) {
      if (without_victims_ <= kMostNamed) {
        for (uint32_t i = 0; i < without_victims_; ++i) {
          error.Add(rules.NoVictims(cycle.host().Text(cycle.snap().At(rows_without_victims_[i]).name()), pod), 1);
        }
        return;
      }
    }
    error.Add("No preemption victims found for incoming pod", without_victims_);
  }

  template <class Rules>
  TryResult TryWith(Trial& trial, Budgets& budgets, const Rules& rules) {
    return dry_run_.Try(
        trial, lower_, budgets, [&rules](const Victim& a, const Victim& b) { return rules.MoreImportant(a, b); },
        [this](uint32_t i, const Pod& pod) { return budgets_.Matches(i, pod); });
  }

  // As Try, with the selection of the rules.
  template <class Rules>
  void Select(Cycle& cycle, const Pod& pod, uint32_t row, Budgets& budgets, const Rules& rules) {
    try {
      NodeSelection<Rules> node(cycle, pod, row, rules, {trials_, budgets_, budgets, dry_run_, lower_});
      Take(cycle, row, rules.SelectVictims(node));
    } catch (const TrialError& e) {
      errors_.Add(e.what());
    }
  }

  void Take(Cycle& cycle, uint32_t row, TryResult result) {
    switch (result) {
      case TryResult::kCandidate: return candidates_.Add(row, dry_run_.victims(), dry_run_.violations());
      case TryResult::kRejected: return rejected_.Add(dry_run_.reasons());
      case TryResult::kNoVictims: return NoteWithoutVictims(row);
      case TryResult::kNobody: {
        const std::string_view name = cycle.host().Text(cycle.snap().At(row).name());
        return errors_.Add("expected at least one victim pod on node \"" + std::string(name) + "\"");
      }
    }
  }

  Trials trials_;
  BudgetSource budgets_;
  DryRun dry_run_;
  Candidates candidates_;
  ReasonCounts rejected_;
  ErrorTexts errors_;
  uint32_t without_victims_ = 0;
  std::array<uint32_t, kMostNamed> rows_without_victims_;  // the first of them
  std::vector<uint32_t> rows_;
  std::vector<Victim> lower_;
};

}  // namespace berth::sdk::preemption
