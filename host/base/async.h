// Coroutines: Async<T> is a function that can wait without a thread, and Bell is what it can wait for. A function that
// waits is written like one that blocks; where it goes on, the executor of the wait decides. Thread: an Async runs on
// one thread at a time, wherever it was resumed. Ownership: the Async owns its frame; it must not be destroyed while it
// waits.
#pragma once

#include <condition_variable>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/thread_annotations.h"

namespace berth::base {

namespace async_detail {

// Goes on with who waits for the result.
struct FinalAwaiter {
  bool await_ready() const noexcept { return false; }
  template <class Promise>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> ended) const noexcept {
    return ended.promise().waiter;
  }
  void await_resume() const noexcept {}
};

struct PromiseBase {
  std::coroutine_handle<> waiter = std::noop_coroutine();
  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }  // as in a thread
};

template <class T>
struct PromiseOf : PromiseBase {
  std::optional<T> value;
  void return_value(T result) { value.emplace(std::move(result)); }
  T Take() { return std::move(*value); }
};
template <>
struct PromiseOf<void> : PromiseBase {
  void return_void() const noexcept {}
  void Take() const noexcept {}
};

}  // namespace async_detail

// Begins when it is awaited, or with Start.
template <class T>
class [[nodiscard]] Async {
 public:
  struct promise_type : async_detail::PromiseOf<T> {
    Async get_return_object() { return Async(std::coroutine_handle<promise_type>::from_promise(*this)); }
  };

  Async(Async&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Async& operator=(Async&&) = delete;
  ~Async() {
    if (frame_) frame_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiter) noexcept {
    frame_.promise().waiter = waiter;
    return frame_;
  }
  T await_resume() { return frame_.promise().Take(); }

 private:
  explicit Async(std::coroutine_handle<promise_type> frame) : frame_(frame) {}
  std::coroutine_handle<promise_type> frame_;
};

// A stop_callback whose type a coroutine can keep in any file: the type of a lambda belongs to one file.
using OnStop = std::stop_callback<std::function<void()>>;

// Runs an Async from an ordinary function: begins on this thread, and owns itself until its end.
struct Detached {
  struct promise_type {
    Detached get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
  };
};
inline Detached Start(Async<void> work) { co_await work; }

// Rings once. Any thread. Ownership: outlives the waits; who rings and who waits usually share it.
class Bell {
 public:
  // Runs a function later, on the thread on which a wait goes on.
  using Executor = void (*)(std::function<void()>);

  void Ring() {
    std::function<void()> resume;
    {
      MutexLock lock(mutex_);
      rung_ = true;
      resume = std::exchange(resume_, nullptr);
    }
    changed_.notify_all();
    if (resume) resume();
  }

  // Blocks. false: stop was requested first.
  bool Wait(const std::stop_token& stop) {
    MutexLock lock(mutex_);
    return changed_.wait(lock, stop, [this]() REQUIRES(mutex_) { return rung_; });
  }

  // co_await Bell::Rung(bell, executor, stop): the same without blocking. One at a time, on the thread of the executor.
  class Rung;

 private:
  // Calls resume when it rings. false: it has rung.
  bool OnRing(std::function<void()> resume) {
    MutexLock lock(mutex_);
    if (rung_) return false;
    resume_ = std::move(resume);
    return true;
  }
  // Takes back what OnRing was given; null: it has rung.
  std::function<void()> TakeBack() {
    MutexLock lock(mutex_);
    return std::exchange(resume_, nullptr);
  }

  Mutex mutex_;
  std::condition_variable_any changed_;
  bool rung_ GUARDED_BY(mutex_) = false;
  std::function<void()> resume_ GUARDED_BY(mutex_);
};

class Bell::Rung {
 public:
  Rung(Bell& bell, Executor executor, std::stop_token stop)
      : bell_(bell), executor_(executor), stop_(std::move(stop)) {}
  Rung(const Rung&) = delete;

  bool await_ready() const noexcept { return false; }
  // On the executor's thread, which cannot go on with the coroutine before this function has returned.
  bool await_suspend(std::coroutine_handle<> waiter) {
    if (!bell_.OnRing([executor = executor_, waiter] { executor([waiter] { waiter.resume(); }); })) return false;
    on_stop_.emplace(stop_, Stopper{this});
    return true;
  }
  bool await_resume() noexcept {
    on_stop_.reset();
    return !stopped_;
  }

 private:
  struct Stopper {
    Rung* rung;
    void operator()() const {
      const std::function<void()> resume = rung->bell_.TakeBack();
      if (!resume) return;
      rung->stopped_ = true;
      resume();
    }
  };

  Bell& bell_;
  const Executor executor_;
  const std::stop_token stop_;
  std::optional<std::stop_callback<Stopper>> on_stop_;
  bool stopped_ = false;
};

}  // namespace berth::base
