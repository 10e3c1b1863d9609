#include "base/pause.h"

#include <condition_variable>

#include "base/thread_annotations.h"

namespace berth::base {

bool PauseFor(std::chrono::nanoseconds time, const std::stop_token& stop) {
  Mutex mutex;  // guards nothing; the wait needs one
  std::condition_variable_any never;
  MutexLock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
  return !stop.stop_requested();
}

}  // namespace berth::base
