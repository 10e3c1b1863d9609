// A thread that runs short tasks, one at a time, so that what looks at something now and then, or waits for a
// descriptor, needs no thread of its own. A task must not block for longer than it takes to read a small local file; a
// Chore has longer ones. Thread: any. Ownership: owns the tasks; those who add them outlive them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>

#include "base/thread_annotations.h"

namespace berth::base {

class Housekeeper {
 public:
  // Runs the task; the result is the time from the end of this run to the next one. Must not throw.
  using Task = std::function<std::chrono::nanoseconds()>;

  // name: of the thread, which starts with the first task.
  explicit Housekeeper(std::string name);
  ~Housekeeper();  // not on its thread
  Housekeeper(const Housekeeper&) = delete;

  // The one that this process shares. Its thread ends with the last task.
  static std::shared_ptr<Housekeeper> OfProcess();

  // delay: until the first run. Returns the number for Remove, never 0.
  uint64_t Add(std::chrono::nanoseconds delay, Task task);
  // Adds a task that runs once after each Await. Returns the number for Await and Remove, never 0.
  uint64_t AddAwaiting(std::function<void()> task);
  // The task runs after that time, or as soon as the descriptor is readable (-1: none); seldom without either. Replaces
  // an earlier Await; the task itself may call it. The descriptor must stay open until the task runs or is removed.
  void Await(uint64_t number, std::chrono::nanoseconds time, int fd);
  // Waits for a run of the task that is under way, unless the task itself removes it. The task never runs again.
  void Remove(uint64_t number);

 private:
  using Time = std::chrono::steady_clock::time_point;
  struct Entry {
    std::shared_ptr<const Task> task;
    bool periodic = true;
    Time due = {};
    int fd = -1;  // also runs the task
  };
  struct Poll;
  uint64_t AddEntry(Task task, bool periodic) REQUIRES(mutex_);
  void Schedule(uint64_t number, std::chrono::nanoseconds delay) REQUIRES(mutex_);
  void Wake() const;
  void Loop();
  Poll NextPoll() const REQUIRES(mutex_);
  void NoteReadable(const Poll& poll) REQUIRES(mutex_);
  bool HasDue() const REQUIRES(mutex_);
  std::shared_ptr<const Task> Begin() REQUIRES(mutex_);
  void End(std::chrono::nanoseconds pause) REQUIRES(mutex_);

  const std::string name_;
  const int wake_;  // an eventfd, which ends a poll; -1: there was no descriptor
  Mutex mutex_;
  Condition ended_;
  std::unordered_map<uint64_t, Entry> entries_ GUARDED_BY(mutex_);
  std::set<std::pair<Time, uint64_t>> due_ GUARDED_BY(mutex_);  // of the entries, without the one that runs
  uint64_t last_number_ GUARDED_BY(mutex_) = 0, running_ GUARDED_BY(mutex_) = 0;
  bool quit_ GUARDED_BY(mutex_) = false;
  std::jthread thread_;  // started under mutex_
};

// A task of the housekeeper of the process, from its construction to its end.
class PeriodicTask {
 public:
  // Calls fn every so often, the first time after that time.
  PeriodicTask(std::chrono::nanoseconds every, std::function<void()> fn);
  // Waits for a run under way.
  ~PeriodicTask() { keeper_->Remove(number_); }
  PeriodicTask(const PeriodicTask&) = delete;

 private:
  const std::shared_ptr<Housekeeper> keeper_ = Housekeeper::OfProcess();
  const uint64_t number_;
};

}  // namespace berth::base
