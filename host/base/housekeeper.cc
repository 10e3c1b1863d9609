#include "base/housekeeper.h"

#include "base/thread_name.h"

namespace berth::base {

std::shared_ptr<Housekeeper> Housekeeper::OfProcess() {
  static Mutex mutex;
  static std::weak_ptr<Housekeeper> shared GUARDED_BY(mutex);
  const MutexLock lock(mutex);
  std::shared_ptr<Housekeeper> keeper = shared.lock();
  if (keeper == nullptr) shared = keeper = std::make_shared<Housekeeper>("housekeeper");
  return keeper;
}

Housekeeper::~Housekeeper() {
  {
    const MutexLock lock(mutex_);
    quit_ = true;
  }
  changed_.notify_all();
}

uint64_t Housekeeper::Add(std::chrono::nanoseconds delay, Task task) {
  const MutexLock lock(mutex_);
  const uint64_t number = ++last_number_;
  entries_.emplace(number, Entry{std::make_shared<const Task>(std::move(task)), {}});
  Schedule(number, delay);
  if (!thread_.joinable()) thread_ = std::jthread([this] { Loop(); });
  return number;
}

void Housekeeper::Schedule(uint64_t number, std::chrono::nanoseconds delay) {
  Entry& entry = entries_.at(number);
  entry.due = std::chrono::steady_clock::now() + delay;
  const auto at = due_.emplace(entry.due, number).first;
  if (at == due_.begin()) changed_.notify_one();
}

void Housekeeper::Remove(uint64_t number) {
  std::shared_ptr<const Task> removed;  // destroyed without the lock
  MutexLock lock(mutex_);
  const auto at = entries_.find(number);
  if (at == entries_.end()) return;
  due_.erase({at->second.due, number});
  removed = std::move(at->second.task);
  entries_.erase(at);
  if (thread_.get_id() != std::this_thread::get_id()) {
    ended_.wait(lock, [&]() REQUIRES(mutex_) { return running_ != number; });
  }
  lock.unlock();
}

void Housekeeper::Loop() {
  NameThread(name_);
  MutexLock lock(mutex_);
  while (AwaitDue(lock)) {
    std::shared_ptr<const Task> task = Begin();
    lock.unlock();
    const std::chrono::nanoseconds pause = (*task)();
    task.reset();  // the last reference if the task has been removed
    lock.lock();
    End(pause);
  }
}

// false: the thread ends.
bool Housekeeper::AwaitDue(MutexLock& lock) {
  while (!quit_) {
    if (due_.empty()) {
      changed_.wait(lock, [this]() REQUIRES(mutex_) { return quit_ || !due_.empty(); });
      continue;
    }
    const auto rest = due_.begin()->first - std::chrono::steady_clock::now();
    if (rest <= rest.zero()) return true;
    changed_.wait_for(lock, rest);
  }
  return false;
}

std::shared_ptr<const Housekeeper::Task> Housekeeper::Begin() {
  running_ = due_.begin()->second;
  due_.erase(due_.begin());
  return entries_.at(running_).task;
}

void Housekeeper::End(std::chrono::nanoseconds pause) {
  const uint64_t number = std::exchange(running_, 0);
  if (entries_.contains(number)) Schedule(number, pause);
  ended_.notify_all();
}

PeriodicTask::PeriodicTask(std::chrono::nanoseconds every, std::function<void()> fn)
    : number_(keeper_->Add(every, [every, fn = std::move(fn)] {
        fn();
        return every;
      })) {}

}  // namespace berth::base
