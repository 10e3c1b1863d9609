#include "telemetry/log/local_time.h"

#include <pthread.h>
#include <time.h>

#include <chrono>

#include "base/thread_annotations.h"

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

LocalTime LocalTimeOf(int64_t unix_seconds) {
  using namespace std::chrono;
  const sys_seconds local{seconds{unix_seconds + LocalOffset::At(unix_seconds)}};
  const auto midnight = floor<days>(local);
  const year_month_day date{midnight};
  const hh_mm_ss time{local - midnight};
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<unsigned>(date.month()),
          .day = static_cast<unsigned>(date.day()),
          .hour = static_cast<int>(time.hours().count()),
          .minute = static_cast<int>(time.minutes().count()),
          .second = static_cast<int>(time.seconds().count())};
}

}  // namespace berth::log
