// A mutex whose users clang checks (-Wthread-safety): a member GUARDED_BY(mutex_) is used only while mutex_ is held, a
// function REQUIRES(mutex_) is called only then. Other compilers ignore the annotations. scripts/check runs clang.
// std::mutex has no annotations in libstdc++; Mutex and MutexLock add them to std::mutex and std::unique_lock.
#pragma once

#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define BERTH_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define BERTH_THREAD_ANNOTATION(x)
#endif
#define CAPABILITY(name) BERTH_THREAD_ANNOTATION(capability(name))
#define SCOPED_CAPABILITY BERTH_THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(mutex) BERTH_THREAD_ANNOTATION(guarded_by(mutex))
#define PT_GUARDED_BY(mutex) BERTH_THREAD_ANNOTATION(pt_guarded_by(mutex))
#define REQUIRES(...) BERTH_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) BERTH_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) BERTH_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) BERTH_THREAD_ANNOTATION(release_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) BERTH_THREAD_ANNOTATION(try_acquire_capability(__VA_ARGS__))
#define NO_THREAD_SAFETY_ANALYSIS BERTH_THREAD_ANNOTATION(no_thread_safety_analysis)

namespace berth::base {

class CAPABILITY("mutex") Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() ACQUIRE() { mutex_.lock(); }
  void unlock() RELEASE() { mutex_.unlock(); }
  // True: the caller holds the mutex, and passes it to a MutexLock with std::adopt_lock.
  bool try_lock() TRY_ACQUIRE(true) { return mutex_.try_lock(); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// Holds a Mutex from its construction to its end. unlock and lock are for the time between, as std::unique_lock's.
class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  MutexLock(Mutex& mutex, std::adopt_lock_t adopt) REQUIRES(mutex) : lock_(mutex.mutex_, adopt) {}
  ~MutexLock() RELEASE() {}
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  void lock() ACQUIRE() { lock_.lock(); }
  void unlock() RELEASE() { lock_.unlock(); }

 private:
  friend class Condition;
  std::unique_lock<std::mutex> lock_;
};

// std::condition_variable for a MutexLock. The predicate runs while the lock is held: [this]() REQUIRES(mutex_) { ...
// }. Where a stop token ends the wait, std::condition_variable_any takes a MutexLock.
class Condition {
 public:
  void notify_one() noexcept { condition_.notify_one(); }
  void notify_all() noexcept { condition_.notify_all(); }

  template <class Predicate>
  void wait(MutexLock& lock, Predicate predicate) {
    condition_.wait(lock.lock_, predicate);
  }
  // May return early, as std::condition_variable's.
  template <class Time>
  void wait_for(MutexLock& lock, const Time& time) {
    condition_.wait_for(lock.lock_, time);
  }
  template <class Time, class Predicate>
  bool wait_for(MutexLock& lock, const Time& time, Predicate predicate) {
    return condition_.wait_for(lock.lock_, time, predicate);
  }

 private:
  std::condition_variable condition_;
};

}  // namespace berth::base
