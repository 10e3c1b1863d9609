// One timer for each thread, which sends it SIGPROF whenever it has used that much more CPU time. Threads that sleep
// get no signal. Timers of the process are not suitable: kernels before 6.4 deliver their signals to the main thread,
// and interval timers would continue after the restart that follows a crash.
// Source: timer_create(2). Thread: one.
#pragma once

#include <sys/types.h>
#include <time.h>

#include <chrono>
#include <map>

namespace berth::profile {

class ThreadTimers {
 public:
  explicit ThreadTimers(std::chrono::nanoseconds period) : period_(period) {}
  ~ThreadTimers();
  ThreadTimers(const ThreadTimers&) = delete;

  // Starts timers for threads that have none, and removes those of threads that have ended. A thread for which the
  // kernel refuses a timer is not sampled.
  void Update();
  size_t size() const { return timers_.size(); }

 private:
  void Start(pid_t thread);

  const std::chrono::nanoseconds period_;
  std::map<pid_t, timer_t> timers_;
};

}  // namespace berth::profile
