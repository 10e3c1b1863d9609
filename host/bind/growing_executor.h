// Threads for tasks that wait: there are as many as tasks at one time, up to a limit, and none before the first task.
// For bindings by extenders, each of which waits for an HTTP reply. Thread: Post from any thread, Stop by its owner.
// Ownership: as Executor's.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "bind/executor.h"

namespace berth::bind {

class GrowingExecutor final : public Executor {
 public:
  explicit GrowingExecutor(uint32_t most_threads) : most_(most_threads) {}
  ~GrowingExecutor() override { Stop(); }
  // When no thread can be had at all the task runs at once, on the caller's.
  void Post(Task task) override;
  // As ThreadExecutor::Stop.
  void Stop();

 private:
  bool Grow();
  void Loop();

  const uint32_t most_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  uint32_t idle_ = 0;
  bool quit_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace berth::bind
