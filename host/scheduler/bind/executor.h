// Runs binding cycles: on a few threads on demand, or on the caller's thread when time is virtual.
// Thread: Post and RunHere from any thread. Ownership: owns the tasks. It runs each task once, or drops it when it
// stops.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "base/task_threads.h"
#include "base/thread_annotations.h"

namespace berth::bind {

class Executor {
 public:
  using Task = std::function<void()>;
  virtual ~Executor() = default;
  virtual void Post(Task task) = 0;
  // Runs a task that blocks no thread now, on the thread of the caller, and spares the change of threads. false: the
  // tasks of this executor keep their order, and the caller posts the task.
  virtual bool RunHere(const Task&) { return false; }
};

// On threads that start when tasks need them.
class ThreadExecutor final : public Executor {
 public:
  // most: threads at the same time, at least 1. name: of the threads, without their numbers.
  explicit ThreadExecutor(uint32_t most, std::string name = "binding")
      : threads_({.name = std::move(name), .most = most}) {}
  ~ThreadExecutor() override { Stop(); }
  // When the system gives no thread and there is none, the task runs at once on the thread of the caller.
  void Post(Task task) override;
  bool RunHere(const Task& task) override;  // drops the task after Stop
  // Waits for the tasks that are running, drops the others, and drops every later one. Call it before the objects that
  // tasks use are destroyed, and not from a task.
  void Stop();
  // How many tasks have started, and whether others wait for a thread. Any thread.
  using Progress = base::TaskThreads::Progress;
  Progress progress() { return threads_.progress(); }

 private:
  base::Mutex mutex_;
  base::Condition left_;
  uint32_t here_ GUARDED_BY(mutex_) = 0;  // tasks that RunHere runs
  bool quit_ GUARDED_BY(mutex_) = false;
  base::TaskThreads threads_;
};

// Keeps tasks until RunPending: deterministic, for simulations and tests. Post from any thread.
class InlineExecutor final : public Executor {
 public:
  void Post(Task task) override;
  // Runs all tasks, and those that they post. false: there was no task.
  bool RunPending();

 private:
  base::Mutex mutex_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
};

}  // namespace berth::bind
