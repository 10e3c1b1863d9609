#include "telemetry/profile/thread_timers.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "telemetry/profile/process_threads.h"

namespace berth::profile {
namespace {

// The clock of the CPU time of a thread, as pthread_getcpuclockid makes it from the id.
clockid_t CpuClockOf(pid_t thread) {
  constexpr unsigned kPerThread = 4, kScheduler = 2;
  return static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | kPerThread | kScheduler);
}

timespec TimespecOf(std::chrono::nanoseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  return {seconds.count(), (time - seconds).count()};
}

}  // namespace

ThreadTimers::~ThreadTimers() {
  for (const auto& [thread, timer] : timers_) timer_delete(timer);
}

void ThreadTimers::Update() {
  const std::vector<pid_t> threads = ThreadIds();
  std::erase_if(timers_, [&](const auto& one) {
    if (std::binary_search(threads.begin(), threads.end(), one.first)) return false;
    timer_delete(one.second);
    return true;
  });
  for (const pid_t thread : threads) {
    if (timers_.count(thread) == 0) Start(thread);
  }
}

void ThreadTimers::Start(pid_t thread) {
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = thread;
  timer_t timer{};
  if (timer_create(CpuClockOf(thread), &event, &timer) != 0) return;
  const itimerspec every{TimespecOf(period_), TimespecOf(period_)};
  timer_settime(timer, 0, &every, nullptr);
  timers_.emplace(thread, timer);
}

}  // namespace berth::profile
