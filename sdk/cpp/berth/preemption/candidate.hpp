// Nodes on which pods could leave for the preemptor, and the choice of the best of them. Plain values, any thread.
// Source: k8s.io/kubernetes pkg/scheduler/framework/preemption/preemption.go (pickOneNodeForPreemption).
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/preemption/victims.hpp"

namespace berth::sdk::preemption {

// The cost of a candidate: criteria in this order; less is better. Comparing all criteria is the same as keeping the
// best candidates, criterion by criterion.
struct Cost {
  int64_t violations = 0;        // victims whose disruption budget is exceeded
  int64_t highest_priority = 0;  // of the first, which is the most important victim
  int64_t priorities = 0;  // summed, each raised by 2^31 so that none is negative: many cheap victims are not cheap
  int64_t victims = 0;
  int64_t age = 0;  // minus the earliest start among the victims of the highest priority: the newest leaves first

  auto operator<=>(const Cost&) const = default;
};

// Of at least one victim, the most important first. violations <= victims.size().
inline Cost CostOf(std::span<const Victim> victims, int64_t violations) {
  constexpr int64_t kRaise = int64_t{1} << 31;
  Cost cost{violations, victims[0].priority, 0, static_cast<int64_t>(victims.size()), 0};
  int32_t highest = victims[0].priority;
  int64_t earliest = victims[0].start;
  for (const Victim& victim : victims) {
    cost.priorities += victim.priority + kRaise;
    if (victim.priority > highest) {
      highest = victim.priority;
      earliest = victim.start;
    } else if (victim.priority == highest) {
      earliest = std::min(earliest, victim.start);
    }
  }
  cost.age = -earliest;
  return cost;
}

// How many candidates are enough among n nodes: n * percentage / 100, at least `absolute`, at most n.
inline uint32_t NumCandidates(uint32_t n, int32_t percentage, int32_t absolute) {
  const int64_t wanted = std::max<int64_t>(int64_t{n} * percentage / 100, absolute);
  return static_cast<uint32_t>(std::min<int64_t>(wanted, n));
}

// The candidates found so far. Keeps the best only (of equals the first), unless extenders need all of them. Reuses its
// memory.
class Candidates {
 public:
  struct Candidate {
    uint32_t row;
    int64_t violations;
    std::vector<Victim> victims;
  };

  // wanted: the search ends after this number, if at least one of them has no violations.
  void Start(uint32_t wanted, bool keep_all = false) {
    wanted_ = wanted;
    clean_ = violating_ = 0;
    found_ = false;
    keep_all_ = keep_all;
    all_.clear();
  }
  // victims: most important first, not empty; they are swapped for memory to be used again.
  void Add(uint32_t row, std::vector<Victim>& victims, int64_t violations) {
    uint32_t& kind = violations == 0 ? clean_ : violating_;
    if (++kind > wanted_) return;  // upstream's lists hold that many
    if (keep_all_) all_.push_back({row, violations, victims});
    Consider(row, victims, violations);
  }
  // As Add, for a candidate that does not count.
  void Consider(uint32_t row, std::vector<Victim>& victims, int64_t violations) {
    const Cost cost = CostOf(victims, violations);
    if (found_ && !(cost < cost_)) return;
    found_ = true;
    row_ = row;
    cost_ = cost;
    victims_.swap(victims);
  }

  bool Enough() const { return clean_ > 0 && clean_ + violating_ >= wanted_; }
  bool any() const { return found_; }
  uint32_t row() const { return row_; }  // of the best; this and the next two only when any()
  std::span<const Victim> victims() const { return victims_; }
  const Cost& cost() const { return cost_; }
  std::span<const Candidate> all() const { return all_; }  // in order; empty unless they are kept
  // Starts the search for the best again.
  void Forget() { found_ = false; }

 private:
  uint32_t wanted_ = 0, clean_ = 0, violating_ = 0, row_ = 0;
  bool found_ = false, keep_all_ = false;
  Cost cost_;
  std::vector<Victim> victims_;
  std::vector<Candidate> all_;
};

}  // namespace berth::sdk::preemption
