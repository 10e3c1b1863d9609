// Threads for tasks that wait, such as calls of extenders, which wait for an HTTP reply: one thread for each task that
// runs at the same time, up to a limit, and none before the first task.
// Thread: Post from any thread, Stop by its owner. Ownership: as for Executor.
#pragma once

#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "base/thread_annotations.h"
#include "scheduler/bind/executor.h"

namespace berth::bind {

class GrowingExecutor final : public Executor {
 public:
  explicit GrowingExecutor(uint32_t most_threads) : most_(most_threads) {}
  ~GrowingExecutor() override { Stop(); }
  // When the system gives no thread and there is none, the task runs at once on the thread of the caller.
  void Post(Task task) override;
  // Never runs the task on the thread of the caller. False: it will not run, because there is no thread for it, or
  // after Stop.
  bool TryPost(Task task);
  // See ThreadExecutor::Stop.
  void Stop();

 private:
  // Creates a thread if the others are busy. False: there is none.
  bool HasThread() REQUIRES(mutex_);
  void Grow() REQUIRES(mutex_);
  void Queue(Task task) REQUIRES(mutex_);
  void Loop();

  const uint32_t most_;
  base::Mutex mutex_;
  base::Condition wake_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  uint32_t idle_ GUARDED_BY(mutex_) = 0;
  bool quit_ GUARDED_BY(mutex_) = false;
  std::vector<std::jthread> threads_ GUARDED_BY(mutex_);
};

}  // namespace berth::bind
