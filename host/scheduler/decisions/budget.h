// Limits the share of the scheduling thread's time that recording takes. Time in which nothing is recorded adds up, but
// only to the credit, so that a quiet scheduler records every attempt and a busy one records as many as it can afford.
// Thread: the scheduling thread. Ownership: the clock outlives the budget.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace berth::decisions {

class Budget {
 public:
  // share: 0 to 1; 1: everything is recorded. credit_ns: the most that can add up. clock: of real time.
  Budget(double share, int64_t credit_ns, const base::Clock& clock)
      : share_(share), credit_ns_(credit_ns), clock_(clock), earned_until_(clock.MonoNs()) {}

  // Whether something may be recorded now. Reads the clock only when nothing is left.
  bool Allows() {
    if (share_ >= 1 || left_ns_ > 0) return true;
    const int64_t now = clock_.MonoNs();
    const auto earned = static_cast<int64_t>(static_cast<double>(now - earned_until_) * share_);
    if (left_ns_ + earned <= 0) return false;
    left_ns_ = std::min(left_ns_ + earned, credit_ns_);
    earned_until_ = now;
    return true;
  }
  // What was recorded took ns.
  void Spend(int64_t ns) { left_ns_ -= ns; }

 private:
  const double share_;
  const int64_t credit_ns_;
  const base::Clock& clock_;
  int64_t left_ns_ = 0;
  int64_t earned_until_;  // mono ns; what was earned before is in left_ns_
};

}  // namespace berth::decisions
