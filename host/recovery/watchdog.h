// Looks every 250 ms at the calls into plugins that are under way, and treats one that does not return like a fatal
// signal: record with the stack of its thread, and the program begins anew. It keeps no time on the way of a call: a
// call whose slot has not changed from look to look is the same call. What time counts: see long_calls.h.
//
// What counts as never returning: a call with a deadline, or one on the scheduling thread, for the time of
// faults.hangAfter; any other (PreBind, Bind, PostBind, which may block their thread, and a plugin's start and end) for
// `patience`, or for the time of hangAfter while bindings wait and no thread is left for them.
//
// Thread: its own; made and ended by main. Ownership: options' functions outlive it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>

#include "plugin/running_call.h"
#include "recovery/long_calls.h"

namespace berth::recovery {

struct WatchdogOptions {
  std::chrono::milliseconds look_every{250};
  std::chrono::nanoseconds patience = std::chrono::minutes(10);
  pid_t scheduling_thread = 0;  // 0: none
  // Bindings that were begun, and whether others wait for a thread; empty: nobody binds.
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
  std::jthread thread_;  // goes first
};

}  // namespace berth::recovery
