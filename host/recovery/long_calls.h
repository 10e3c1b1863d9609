// The calls into plugins that are under way, and for how long each has been at it: looked at from time to time, never
// touched on the way of a call. What counts is a call's own time: not what the host does for it (plugin::HostTime), nor
// a time in which the process was stopped or the thread was able to run and had no CPU. Of that it tells the calls as
// well, for their deadlines (plugin::Excuse).
//
// Thread: one that looks. Ownership: options' functions outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "plugin/running_call.h"
#include "recovery/progress.h"

namespace berth::recovery {

struct LongCallsOptions {
  // The pause between two looks. A pause that was longer means that the process did not run meanwhile: it counts as one
  // of this length.
  std::chrono::nanoseconds look_every = std::chrono::milliseconds(250);
  ReadProgress progress = ProgressOf;
};

class LongCalls {
 public:
  // When a call has taken so much of its own time it counts as one that never returns.
  using LimitOf = std::function<std::chrono::nanoseconds(const plugin::CallSlot&)>;
  struct Hang {
    const plugin::CallSlot* slot;
    uint64_t changes;  // of the slot: as long as it has these it is the same call
    std::chrono::nanoseconds own_time;
  };

  explicit LongCalls(LongCallsOptions options) : options_(std::move(options)) {}

  // now_ns: of the monotonic clock. A call that is told of is forgotten: should it come back after all, and not leave,
  // its time begins anew.
  std::vector<Hang> Look(int64_t now_ns, const LimitOf& limit);
  // Of the time between the last two looks, how much the process has had.
  std::chrono::nanoseconds ran() const { return std::chrono::nanoseconds(ran_ns_); }

 private:
  struct Seen {
    uint64_t changes = 0;
    int64_t own_ns = 0;
    int64_t host_ns = 0;  // HostTimeOf
    Progress progress;
  };
  // A call as it is at this look.
  Seen See(const plugin::CallSlot& slot, uint64_t changes, int64_t now_ns) const;

  const LongCallsOptions options_;
  int64_t last_look_ns_ = 0;  // 0: none
  int64_t ran_ns_ = 0;
  std::map<size_t, Seen> seen_;  // by number of the slot: calls under way
};

}  // namespace berth::recovery
