#include "scheduler/bind/executor.h"

namespace berth::bind {

void ThreadExecutor::Stop() {
  {
    const base::MutexLock lock(mutex_);
    quit_ = true;
  }
  threads_.Stop();
  base::MutexLock lock(mutex_);
  left_.wait(lock, [this]() REQUIRES(mutex_) { return here_ == 0; });
}

void ThreadExecutor::Post(Task task) {
  if (threads_.Post(std::move(task)) == base::TaskThreads::Posted::kNoThread) task();  // NOLINT: it has not been moved
}

bool ThreadExecutor::RunHere(const Task& task) {
  {
    const base::MutexLock lock(mutex_);
    if (quit_) return true;
    ++here_;
  }
  task();
  const base::MutexLock lock(mutex_);
  if (--here_ == 0 && quit_) left_.notify_all();
  return true;
}

void InlineExecutor::Post(Task task) {
  base::MutexLock lock(mutex_);
  tasks_.push_back(std::move(task));
}

bool InlineExecutor::RunPending() {
  bool ran = false;
  while (true) {
    Task task;
    {
      base::MutexLock lock(mutex_);
      if (tasks_.empty()) return ran;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    task();
    ran = true;
  }
}

}  // namespace berth::bind
