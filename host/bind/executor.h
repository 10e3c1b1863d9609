// Where binding cycles run: a few threads, or the caller's own when time is virtual.
// Thread: Post from any thread. Ownership: a task runs exactly once, or is dropped when the executor goes.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace berth::bind {

class Executor {
 public:
  using Task = std::function<void()>;
  virtual ~Executor() = default;
  virtual void Post(Task task) = 0;
};

class ThreadExecutor final : public Executor {
 public:
  explicit ThreadExecutor(uint32_t threads);
  ~ThreadExecutor() override { Stop(); }
  void Post(Task task) override;
  // Waits for the tasks that are running and drops the others, now and later. To be called before what the tasks refer
  // to goes; not by a task.
  void Stop();
  // How many tasks have been begun, and whether others wait for a thread. Any thread.
  struct Progress {
    uint64_t begun = 0;
    bool waiting = false;
  };
  Progress progress();

 private:
  void Loop();
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  uint64_t begun_ = 0;
  bool quit_ = false;
  std::vector<std::jthread> threads_;
};

// Keeps tasks until somebody runs them: deterministic, for simulations and tests. Post from any thread.
class InlineExecutor final : public Executor {
 public:
  void Post(Task task) override;
  // Runs what is there and what that posts. false when there was nothing.
  bool RunPending();

 private:
  std::mutex mutex_;
  std::deque<Task> tasks_;  // guarded by mutex_
};

}  // namespace berth::bind
