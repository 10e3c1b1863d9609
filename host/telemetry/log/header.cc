#include "telemetry/log/header.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/thread_annotations.h"
#include "telemetry/log/vmodule.h"

namespace berth::log {
namespace {

// The offset of local time from UTC. glibc's time functions hold a lock. If another thread holds it during fork(), the
// child process cannot take it. So they are called once per quarter of an hour, because no time zone changes its offset
// within one, and under a lock that fork() waits for.
class LocalOffset {
 public:
  static int64_t At(time_t unix_seconds) {
    static LocalOffset& offset = *new LocalOffset;
    base::MutexLock lock(offset.mutex_);
    if (unix_seconds < offset.begin_ || unix_seconds >= offset.begin_ + kQuarter) offset.Ask(unix_seconds);
    return offset.seconds_;
  }

 private:
  static constexpr time_t kQuarter = 900;

  LocalOffset() {
    static base::Mutex& mutex = mutex_;
    pthread_atfork([]() ACQUIRE(mutex) { mutex.lock(); }, []() RELEASE(mutex) { mutex.unlock(); },
                   []() RELEASE(mutex) { mutex.unlock(); });
  }
  void Ask(time_t unix_seconds) REQUIRES(mutex_) {
    tm local;
    localtime_r(&unix_seconds, &local);
    seconds_ = local.tm_gmtoff;
    begin_ = unix_seconds - unix_seconds % kQuarter;
  }

  base::Mutex mutex_;
  time_t begin_ GUARDED_BY(mutex_) = -kQuarter;  // the quarter for which seconds_ is valid
  int64_t seconds_ GUARDED_BY(mutex_) = 0;
};

}  // namespace

std::string Header(Severity severity, std::string_view file, int line) {
  using namespace std::chrono;
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const sys_seconds local{seconds{now.tv_sec + LocalOffset::At(now.tv_sec)}};
  const auto day = floor<days>(local);
  const year_month_day date{day};
  const hh_mm_ss time{local - day};
  char text[64];
  std::snprintf(text, sizeof text, "%c%02u%02u %02d:%02d:%02d.%06ld %7d ", "IWE"[static_cast<int>(severity)],
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()), now.tv_nsec / 1000, gettid());
  return text + std::string(BaseName(file)) + ":" + std::to_string(std::max(line, 0)) + "] ";
}

}  // namespace berth::log
