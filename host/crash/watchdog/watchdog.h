// Checks the calls into plugins every 250 ms, and handles one that does not return like a fatal signal: it writes a
// record with the stack of the thread, and re-executes the program. The calls themselves take no time stamps: a slot
// that has not changed between two checks contains the same call. long_calls.h says which time counts.
//
// A call counts as one that never returns after faults.hangAfter if it has a deadline or is on the scheduling thread.
// Other calls (PreBind, Bind, PostBind, which may block their thread, and the start and end of a plugin) count after
// `longest_call`, or after hangAfter while bindings wait and no thread is free.
//
// Thread: its own; main creates and destroys it. Ownership: the functions in the options outlive it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "crash/watchdog/long_calls.h"
#include "plugin/instance/running_call.h"

namespace berth::crash {

struct WatchdogOptions {
  std::chrono::milliseconds look_every{250};
  std::chrono::nanoseconds longest_call = std::chrono::minutes(10);
  pid_t scheduling_thread = 0;  // 0: none
  // The number of started bindings, and whether others wait for a thread; empty: there are no bindings.
  struct Bindings {
    uint64_t begun = 0;
    bool waiting = false;
  };
  std::function<Bindings()> bindings;
};

class Watchdog {
 public:
  explicit Watchdog(WatchdogOptions options);
  ~Watchdog();

 private:
  void Run(const std::stop_token& stop);
  void Look();
  std::chrono::nanoseconds LimitOf(const plugin::CallSlot& slot) const;
  void LookAtBindings();
  static void End(const LongCalls::Hang& hang);

  const WatchdogOptions options_;
  LongCalls calls_;
  uint64_t begun_ = 0;
  std::chrono::nanoseconds bindings_stood_still_{0};
  std::jthread thread_;  // destroyed first
};

}  // namespace berth::crash
