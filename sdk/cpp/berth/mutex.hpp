// A mutex whose users clang checks with -Wthread-safety: a member BERTH_GUARDED_BY(mutex_) is used only while mutex_ is
// held, a function BERTH_REQUIRES(mutex_) is called only then. Other compilers ignore the annotations.
#pragma once

#include <mutex>

#if defined(__clang__)
#define BERTH_THREAD_SAFETY(x) __attribute__((x))
#else
#define BERTH_THREAD_SAFETY(x)
#endif
#define BERTH_GUARDED_BY(mutex) BERTH_THREAD_SAFETY(guarded_by(mutex))
#define BERTH_REQUIRES(...) BERTH_THREAD_SAFETY(requires_capability(__VA_ARGS__))

namespace berth::sdk {

class BERTH_THREAD_SAFETY(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() BERTH_THREAD_SAFETY(acquire_capability()) { mutex_.lock(); }
  void unlock() BERTH_THREAD_SAFETY(release_capability()) { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

// Holds a Mutex from its construction to its end.
class BERTH_THREAD_SAFETY(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) BERTH_THREAD_SAFETY(acquire_capability(mutex)) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() BERTH_THREAD_SAFETY(release_capability()) { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace berth::sdk
