#include "scheduler/queue/step_back.h"

#include <algorithm>

namespace berth::queue {

bool StepBack::Note(base::Id profile, int64_t held_ns, int64_t now) {
  if (held_ns < kSlow) return false;
  for (Entry& entry : entries_) {
    if (entry.profile != profile) entry.until += held_ns;
  }
  const auto known =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.profile == profile; });
  if (known == entries_.end()) {
    entries_.push_back({profile, now + held_ns});
    return true;
  }
  known->until = std::max(known->until, now) + held_ns;
  return false;
}

bool StepBack::Expire(int64_t now) {
  return std::erase_if(entries_, [&](const Entry& entry) { return entry.until <= now; }) > 0;
}

}  // namespace berth::queue
