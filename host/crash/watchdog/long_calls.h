// Measures the calls into plugins that are in progress, without any work in the calls themselves. Only a call's own
// time counts: not the work that the host does for it (plugin::HostTime), and not the time in which the process was
// stopped or the thread was runnable without a CPU. It also subtracts that time from the deadlines of the calls
// (plugin::Excuse).
//
// Thread: the watchdog's. Ownership: the functions in the options outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "crash/watchdog/thread_progress.h"
#include "plugin/instance/running_call.h"

namespace berth::crash {

struct LongCallsOptions {
  // The pause between two checks. A longer pause means that the process did not run in the meantime: it counts as this
  // length.
  std::chrono::nanoseconds look_every = std::chrono::milliseconds(250);
  ReadProgress progress = ProgressOf;
};

class LongCalls {
 public:
  // A call with more own time than this counts as one that never returns.
  using LimitOf = std::function<std::chrono::nanoseconds(const plugin::CallSlot&)>;
  struct Hang {
    const plugin::CallSlot* slot;
    uint64_t changes;  // of the slot; the same number means the same call
    std::chrono::nanoseconds own_time;
  };

  explicit LongCalls(LongCallsOptions options) : options_(std::move(options)) {}

  // now_ns: of the monotonic clock. A reported call is dropped: if it then continues without leaving the plugin, its
  // time starts again.
  std::vector<Hang> Look(int64_t now_ns, const LimitOf& limit);
  // The part of the time between the last two checks in which the process ran.
  std::chrono::nanoseconds ran() const { return std::chrono::nanoseconds(ran_ns_); }

 private:
  struct Seen {
    uint64_t changes = 0;
    int64_t own_ns = 0;
    int64_t host_ns = 0;  // HostTimeOf
    Progress progress;
  };
  // The state of a call at this check.
  Seen See(const plugin::CallSlot& slot, uint64_t changes, int64_t now_ns) const;

  const LongCallsOptions options_;
  int64_t last_look_ns_ = 0;  // 0: none
  int64_t ran_ns_ = 0;
  std::map<size_t, Seen> seen_;  // by number of the slot: calls under way
};

}  // namespace berth::crash
