#include "scheduler/bind/growing_executor.h"

#include <system_error>
#include <utility>

namespace berth::bind {

void GrowingExecutor::Post(Task task) {
  base::MutexLock lock(mutex_);
  if (quit_) return;
  if (HasThread()) return Queue(std::move(task));
  lock.unlock();
  task();
}

bool GrowingExecutor::TryPost(Task task) {
  const base::MutexLock lock(mutex_);
  if (quit_ || !HasThread()) return false;
  Queue(std::move(task));
  return true;
}

bool GrowingExecutor::HasThread() {
  if (idle_ <= tasks_.size() && threads_.size() < most_) Grow();
  return !threads_.empty();
}

void GrowingExecutor::Grow() {
  try {
    threads_.emplace_back([this] { Loop(); });
  } catch (const std::system_error&) {
    // the existing threads continue
  }
}

void GrowingExecutor::Queue(Task task) {
  tasks_.push_back(std::move(task));
  wake_.notify_one();
}

void GrowingExecutor::Stop() {
  std::vector<std::jthread> ending;
  {
    base::MutexLock lock(mutex_);
    quit_ = true;
    tasks_.clear();
    ending.swap(threads_);
  }
  wake_.notify_all();
  ending.clear();  // joins
}

void GrowingExecutor::Loop() {
  base::MutexLock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this]() REQUIRES(mutex_) { return quit_ || !tasks_.empty(); });
    --idle_;
    if (quit_) return;
    const Task task = std::exchange(tasks_.front(), nullptr);
    tasks_.pop_front();
    lock.unlock();
    task();
    lock.lock();
  }
}

}  // namespace berth::bind
