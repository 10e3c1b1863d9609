// Profiles whose pods step back behind those of other profiles. If an attempt occupies the scheduling thread for a long
// time, the pods of its profile step back for the same length of time. Slow attempts of other profiles do not count
// toward that time, so two slow profiles do not pay with each other's attempts. While other pods wait, one slow profile
// gets half of the thread's time and two slow profiles get two thirds; otherwise they get all of it. If no profile is
// slow, the list is empty and QueueSort alone decides the order.
//
// Thread: the scheduling thread. Ownership: a value owned by the queue. Times are monotonic ns of the queue's clock.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/intern.h"

namespace berth::queue {

class StepBack {
 public:
  // An attempt of this length or more is slow. kube-scheduler uses the same limit to log the steps of an attempt.
  static constexpr int64_t kSlow = 100 * base::kMillisecond;

  bool any() const { return !entries_.empty(); }
  bool Has(base::Id profile) const {
    for (const Entry& entry : entries_) {
      if (entry.profile == profile) return true;
    }
    return false;
  }
  // Records that an attempt of this profile occupied the thread until now. Returns true if its pods step back now and
  // did not before.
  bool Note(base::Id profile, int64_t held_ns, int64_t now);
  // Returns true if the pods of any profile no longer step back.
  bool Expire(int64_t now);

 private:
  struct Entry {
    base::Id profile;
    int64_t until;
  };
  std::vector<Entry> entries_;  // a few at most
};

}  // namespace berth::queue
