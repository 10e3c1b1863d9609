// For rules that choose the victims of a node themselves. Rules with this member replace "every pod of lower priority
// that may leave":
//
//   template <class Node>
//   preemption::TryResult SelectVictims(Node& node) const {
//     for (const Pod pod : node.pods()) if (MayBeAsked(pod)) node.Ask(pod);
//     if (node.asked().empty()) return preemption::TryResult::kNoVictims;  // and no trial is opened
//     Trial trial = node.Open();
//     return node.Try(trial);
//   }
//
// Try also accepts a type of the rules in place of the trial: a type that wraps a trial and its three functions sees
// which pods leave and come back, and can reject what the filters accept (IsTrial). Serial, in PostFilter.
#pragma once

#include <concepts>
#include <cstdint>
#include <vector>

#include "berth/cycle.hpp"
#include "berth/preemption/budget_source.hpp"
#include "berth/preemption/dry_run.hpp"
#include "berth/preemption/victims.hpp"
#include "berth/trial.hpp"

namespace berth::sdk::preemption {

// The memory that the selections of a search share.
struct SelectionParts {
  const Trials& trials;
  BudgetSource& source;
  Budgets& budgets;
  DryRun& dry_run;
  std::vector<Victim>& asked;
};

template <class Rules>
class NodeSelection {
 public:
  NodeSelection(Cycle& cycle, const Pod& preemptor, uint32_t row, const Rules& rules, const SelectionParts& parts)
      : cycle_(cycle), preemptor_(preemptor), row_(row), rules_(rules), parts_(parts) {
    parts_.asked.clear();
  }

  Cycle& cycle() { return cycle_; }
  const Pod& preemptor() const { return preemptor_; }
  uint32_t row() const { return row_; }
  PodList pods() { return cycle_.snap().Pods(row_); }

  // Adds a pod that may have to leave. Call it in the order of pods(), which decides between pods of equal importance.
  void Ask(const Pod& pod) { parts_.asked.emplace_back(pod, static_cast<uint32_t>(parts_.asked.size())); }
  // The pods that may have to leave; the rules may sort them and drop some.
  std::vector<Victim>& asked() { return parts_.asked; }

  // Once per node. Throws TrialError, which fails the dry run of this node.
  Trial Open() { return parts_.trials.Open(cycle_, row_); }
  // All added pods leave; then as many come back as the trial accepts.
  template <IsTrial T>
  TryResult Try(T& trial) {
    return parts_.dry_run.Try(
        trial, parts_.asked, parts_.budgets,
        [this](const Victim& a, const Victim& b) { return rules_.MoreImportant(a, b); },
        [this](uint32_t i, const Pod& pod) { return parts_.source.Matches(i, pod); });
  }

 private:
  Cycle& cycle_;
  const Pod& preemptor_;
  const uint32_t row_;
  const Rules& rules_;
  const SelectionParts parts_;
};

template <class Rules>
concept SelectsVictims = requires(const Rules& rules, NodeSelection<Rules>& node) {
  { rules.SelectVictims(node) } -> std::same_as<TryResult>;
};

}  // namespace berth::sdk::preemption
