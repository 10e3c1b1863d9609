#include "scheduler/bind/executor.h"

#include "base/thread_name.h"

namespace berth::bind {

ThreadExecutor::ThreadExecutor(uint32_t threads) {
  for (uint32_t i = 0; i < threads; ++i)
    threads_.emplace_back([this, i] {
      base::NameThread("binding-" + std::to_string(i));
      Loop();
    });
}

void ThreadExecutor::Stop() {
  {
    base::MutexLock lock(mutex_);
    quit_ = true;
    tasks_.clear();
  }
  wake_.notify_all();
  threads_.clear();  // joins
  base::MutexLock lock(mutex_);
  left_.wait(lock, [this]() REQUIRES(mutex_) { return here_ == 0; });
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

void ThreadExecutor::Post(Task task) {
  {
    base::MutexLock lock(mutex_);
    if (quit_) return;
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

ThreadExecutor::Progress ThreadExecutor::progress() {
  base::MutexLock lock(mutex_);
  return {begun_, !tasks_.empty()};
}

void ThreadExecutor::Loop() {
  while (true) {
    base::MutexLock lock(mutex_);
    wake_.wait(lock, [this]() REQUIRES(mutex_) { return quit_ || !tasks_.empty(); });
    if (quit_) return;
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    ++begun_;
    lock.unlock();
    task();
  }
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
