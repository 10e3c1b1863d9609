// Finds the pods whose PodDisruptionBudget would be exceeded if these pods left. One thread. Source: k8s.io/kubernetes
// pkg/scheduler/framework/plugins/defaultpreemption (filterPodsWithPDBViolation).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "berth/preemption/victims.hpp"

namespace berth::sdk::preemption {

// One budget, without its selector.
struct Budget {
  Id ns = kNoId;
  int32_t allowed = 0;  // status.disruptionsAllowed
  std::vector<std::string>
      disrupted;  // status.disruptedPods, sorted: whose eviction the API server has counted already

  bool Counted(std::string_view pod) const {
    return !disrupted.empty() && std::binary_search(disrupted.begin(), disrupted.end(), pod);
  }
};

// The budgets of a cluster, and which of them each content of labels belongs to: matched once, then looked up.
class Budgets {
 public:
  void Clear() {
    budgets_.clear();
    spent_.clear();
    Forget();
  }
  void Add(Budget budget) {
    std::sort(budget.disrupted.begin(), budget.disrupted.end());
    budgets_.push_back(std::move(budget));
    spent_.emplace_back();
    Forget();
  }
  const std::vector<Budget>& all() const { return budgets_; }

  // Marks the victims that would exceed a budget if all of them left in this order, and returns their number.
  // matches(i, pod): whether the selector of budget i matches the pod's labels. It is called only for budgets of the
  // pod's namespace, and once for each content of labels.
  template <class Matches>
  uint32_t MarkViolating(std::span<Victim> victims, const Matches& matches) {
    if (budgets_.empty()) return 0;
    ++round_;
    uint32_t violating = 0;
    for (Victim& victim : victims) {
      victim.violates = Spend(victim.pod, matches);
      violating += victim.violates ? 1 : 0;
    }
    return violating;
  }

 private:
  struct Spent {
    uint64_t round = 0;
    int64_t left = 0;
  };
  struct Range {
    uint32_t first, n;
  };
  static constexpr size_t kMaxKnown = 65536;  // contents of labels

  void Forget() {
    known_.clear();
    members_.clear();
  }

  // A pod takes one from every budget that it belongs to, even if one of them is already exceeded.
  template <class Matches>
  bool Spend(const Pod& pod, const Matches& matches) {
    if (pod.labels().empty()) return false;
    bool overdrawn = false;
    const Range mine = BudgetsOf(pod, matches);
    for (uint32_t k = 0; k < mine.n; ++k) {
      const uint32_t i = members_[mine.first + k];
      if (budgets_[i].Counted(pod.name())) continue;
      if (spent_[i].round != round_) spent_[i] = {round_, budgets_[i].allowed};
      if (--spent_[i].left < 0) overdrawn = true;
    }
    return overdrawn;
  }

  template <class Matches>
  Range BudgetsOf(const Pod& pod, const Matches& matches) {
    const uint64_t key = uint64_t{pod.ns()} << 32 | pod.labels().content();
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    if (known_.size() >= kMaxKnown) Forget();
    Range range{static_cast<uint32_t>(members_.size()), 0};
    for (uint32_t i = 0; i < budgets_.size(); ++i) {
      if (budgets_[i].ns == pod.ns() && matches(i, pod)) members_.push_back(i), ++range.n;
    }
    known_.emplace(key, range);
    return range;
  }

  std::vector<Budget> budgets_;
  std::vector<Spent> spent_;  // per budget; only entries of this round count
  uint64_t round_ = 0;
  std::unordered_map<uint64_t, Range> known_;  // (namespace, labels) -> budgets in members_
  std::vector<uint32_t> members_;
};

}  // namespace berth::sdk::preemption
