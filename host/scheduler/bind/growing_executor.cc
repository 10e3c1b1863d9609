#include "scheduler/bind/growing_executor.h"

#include <system_error>
#include <utility>

namespace berth::bind {

void GrowingExecutor::Post(Task task) {
  base::MutexLock lock(mutex_);
  if (quit_) return;
  if (idle_ <= tasks_.size() && threads_.size() < most_ && !Grow() && threads_.empty()) {
    lock.unlock();
    return task();
  }
  tasks_.push_back(std::move(task));
  wake_.notify_one();
}

bool GrowingExecutor::Grow() {
  try {
    threads_.emplace_back([this] { Loop(); });
    return true;
  } catch (const std::system_error&) {
    return false;  // the existing threads continue
  }
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
