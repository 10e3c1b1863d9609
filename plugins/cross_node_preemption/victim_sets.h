// The visitor of a walk through sets of pods: tries in one trial whether the pod of the cycle fits when a set has left,
// and keeps the best set. A set costs more than each of its parts (Cost of berth/preemption/candidate.hpp), so the walk
// skips sets that begin with a set that is not better than the best one. Thread: serial, in PostFilter.
#pragma once

#include <berth/preemption.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace plugins::cross_node {

namespace preemption = berth::sdk::preemption;

// A pod that may have to leave, and its row.
struct Movable {
  preemption::Victim victim;
  uint32_t row;
};

class VictimSets {
 public:
  // pods: the least important first. The best set goes to `best`.
  VictimSets(berth::sdk::Cycle& cycle, berth::sdk::Trial& trial, const std::vector<Movable>& pods,
             preemption::BudgetSource& source, preemption::Candidates& best)
      : cycle_(cycle), trial_(trial), pods_(pods), source_(source), budgets_(source.Current()), best_(best) {}

  bool Enter(uint32_t i) {
    chosen_.push_back(i);
    Weigh();
    if (best_.any() && !(cost_ < best_.cost())) {
      chosen_.pop_back();
      return false;
    }
    trial_.On(pods_[i].row).Remove(pods_[i].victim.pod);
    return true;
  }

  void Leave(uint32_t i) {
    chosen_.pop_back();
    trial_.On(pods_[i].row).Add(pods_[i].victim.pod);
  }

  // The nodes of a set cost the same: the first that fits is enough.
  bool Judge() {
    for (size_t k = 0; k < chosen_.size(); ++k) {
      const uint32_t row = pods_[chosen_[k]].row;
      if (IsRepeated(k) || !trial_.On(row).Filter().ok()) continue;
      best_.Consider(row, victims_, violations_);
      break;
    }
    canceled_ = ++judged_ % 64 == 0 && cycle_.Cancelled();
    return !canceled_;
  }

  // Whether the walk ended because its result is not needed any more.
  bool canceled() const { return canceled_; }

 private:
  // Of the pods that have entered, the most important first.
  void Weigh() {
    victims_.clear();
    for (size_t k = chosen_.size(); k > 0; --k) victims_.push_back(pods_[chosen_[k - 1]].victim);
    violations_ = budgets_.MarkViolating(
        victims_, [this](uint32_t i, const berth::sdk::Pod& pod) { return source_.Matches(i, pod); });
    cost_ = preemption::CostOf(victims_, violations_);
  }

  // Whether an earlier pod of the set is on the node of this one.
  bool IsRepeated(size_t k) const {
    for (size_t before = 0; before < k; ++before) {
      if (pods_[chosen_[before]].row == pods_[chosen_[k]].row) return true;
    }
    return false;
  }

  berth::sdk::Cycle& cycle_;
  berth::sdk::Trial& trial_;
  const std::vector<Movable>& pods_;
  preemption::BudgetSource& source_;
  preemption::Budgets& budgets_;
  preemption::Candidates& best_;
  std::vector<uint32_t> chosen_;  // ascending
  std::vector<preemption::Victim> victims_;
  int64_t violations_ = 0;
  preemption::Cost cost_;
  uint32_t judged_ = 0;
  bool canceled_ = false;
};

}  // namespace plugins::cross_node
