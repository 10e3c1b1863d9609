// Whose pods let others go first: an attempt that has held the scheduling thread for long is paid for by its profile,
// whose pods step behind those of other profiles for as long again, not counting the time that slow attempts of others
// take meanwhile: two slow profiles do not pay with each other's. So of the thread's time a slow profile gets half
// while others wait for it, two get two thirds, and all of it while nobody else does. When nobody is slow there is
// nothing here, and the order of the queue is QueueSort's alone.
//
// Thread: the scheduling thread. Ownership: a value of the queue's. Times are mono ns of its clock.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"
#include "base/intern.h"

namespace berth::queue {

class StepBack {
 public:
  // From here on an attempt is slow: kube-scheduler finds that of one as well, and then logs its steps.
  static constexpr int64_t kSlow = 100 * base::kMillisecond;

  bool any() const { return !entries_.empty(); }
  bool Has(base::Id profile) const {
    for (const Entry& entry : entries_) {
      if (entry.profile == profile) return true;
    }
    return false;
  }
  // An attempt of this profile has held the thread until now. true: its pods step back from now on, and did not before.
  bool Note(base::Id profile, int64_t held_ns, int64_t now);
  // true: some step back no more.
  bool Expire(int64_t now);

 private:
  struct Entry {
    base::Id profile;
    int64_t until;
  };
  std::vector<Entry> entries_;  // a handful at most
};

}  // namespace berth::queue
