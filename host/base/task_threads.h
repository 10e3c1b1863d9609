// Threads for tasks, on demand: a task gets a thread of its own as long as there are fewer than the limit, and a thread
// that has had no task for a while ends. At rest there is none.
// Thread: Post and progress from any thread; Stop by the owner, not from a task. Ownership: owns the tasks, and runs
// each once or drops it when it stops.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/thread_annotations.h"

namespace berth::base {

struct TaskThreadsOptions {
  std::string name;                                          // of the threads; each adds its number: "binding-0"
  uint32_t most = 1;                                         // at the same time
  std::chrono::nanoseconds idle = std::chrono::seconds(30);  // after this time without a task a thread ends
};

class TaskThreads {
 public:
  using Task = std::function<void()>;
  explicit TaskThreads(TaskThreadsOptions options) : options_(std::move(options)) {}
  ~TaskThreads() { Stop(); }
  TaskThreads(const TaskThreads&) = delete;

  // Queues the task, or leaves it to the caller: kNoThread: there is no thread, and the system gives none. kStopped:
  // Stop has been called.
  enum class Posted { kQueued, kNoThread, kStopped };
  Posted Post(Task&& task);
  // Waits for the tasks that are running, drops the others, and accepts no later one. Idempotent.
  void Stop();

  // How many tasks have begun, and whether others wait for a thread.
  struct Progress {
    uint64_t begun = 0;
    bool waiting = false;
  };
  Progress progress();

 private:
  // One of the threads that there may be at the same time.
  struct Place {
    std::jthread thread;
    bool taken = false;  // false: the thread, if any, has left its loop
  };
  bool HasThread() REQUIRES(mutex_);
  void Grow() REQUIRES(mutex_);
  void Loop(size_t place);
  // Waits for a task. false: the thread of the place ends.
  bool Await(MutexLock& lock) REQUIRES(mutex_);
  std::vector<std::jthread> TakeEnded() REQUIRES(mutex_);

  const TaskThreadsOptions options_;
  Mutex mutex_;
  Condition wake_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  uint64_t begun_ GUARDED_BY(mutex_) = 0;
  uint32_t running_ GUARDED_BY(mutex_) = 0, idle_ GUARDED_BY(mutex_) = 0;  // threads
  bool quit_ GUARDED_BY(mutex_) = false;
  std::vector<Place> places_ GUARDED_BY(mutex_);
};

}  // namespace berth::base
