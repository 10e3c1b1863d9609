#include "scheduler/engine/message_inbox.h"

#include <algorithm>

namespace berth::engine {

// Half of the time: as long as the step took since the last slice ended, within limits.
int64_t MessageInbox::NextSlice() const {
  constexpr int64_t kLongest = 50 * base::kMillisecond;  // the thread may have waited since the last slice
  if (slice_ns_ == 0) return INT64_MAX;
  const int64_t since_last = clock_.MonoNs() - read_ended_mono_ns_;
  return std::max(slice_ns_, std::min(since_last, kLongest));
}

}  // namespace berth::engine
