#include "base/task_threads.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/thread_name.h"

namespace berth::base {

TaskThreads::Posted TaskThreads::Post(Task&& task) {
  const MutexLock lock(mutex_);
  if (quit_) return Posted::kStopped;
  if (!HasThread()) return Posted::kNoThread;
  tasks_.push_back(std::move(task));
  wake_.notify_one();
  return Posted::kQueued;
}

// Creates a thread if the others are busy.
bool TaskThreads::HasThread() {
  if (idle_ <= tasks_.size() && running_ < options_.most) Grow();
  return running_ > 0;
}

void TaskThreads::Grow() {
  auto place = std::find_if(places_.begin(), places_.end(), [](const Place& one) { return !one.taken; });
  if (place == places_.end()) place = places_.insert(place, Place());
  try {
    const auto number = static_cast<size_t>(place - places_.begin());
    place->thread = std::jthread([this, number] { Loop(number); });  // joins the one before, which is leaving
    place->taken = true;
    ++running_;
  } catch (const std::system_error&) {
    // the existing threads continue
  }
}

void TaskThreads::Stop() {
  std::deque<Task> dropped;
  std::vector<Place> ending;
  {
    const MutexLock lock(mutex_);
    quit_ = true;
    dropped.swap(tasks_);
    ending.swap(places_);
  }
  wake_.notify_all();
  ending.clear();  // joins
}

TaskThreads::Progress TaskThreads::progress() {
  const MutexLock lock(mutex_);
  return {begun_, !tasks_.empty()};
}

void TaskThreads::Loop(size_t place) {
  NameThread(options_.name + "-" + std::to_string(place));
  std::vector<std::jthread> ended;  // joined at the end, without the lock
  MutexLock lock(mutex_);
  while (Await(lock)) {
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    ++begun_;
    lock.unlock();
    task();
    task = nullptr;
    lock.lock();
  }
  if (quit_) return;
  ended = TakeEnded();
  --running_;
  places_[place].taken = false;
  lock.unlock();
}

bool TaskThreads::Await(MutexLock& lock) {
  ++idle_;
  const bool woken =
      wake_.wait_for(lock, options_.idle, [this]() REQUIRES(mutex_) { return quit_ || !tasks_.empty(); });
  --idle_;
  return woken && !quit_;
}

// So that a thread that has ended keeps its stack only until the next one ends.
std::vector<std::jthread> TaskThreads::TakeEnded() {
  std::vector<std::jthread> ended;
  for (Place& one : places_) {
    if (!one.taken && one.thread.joinable()) ended.push_back(std::move(one.thread));
  }
  return ended;
}

}  // namespace berth::base
