#include "berth/testing/fake_tasks.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "berth/testing/fake_host.hpp"

namespace berth::sdk::testing {

FakeTasks::FakeTasks(Checker& checker) : checker_(checker) {}

FakeTasks::~FakeTasks() = default;

FakeTasks& FakeTasks::Waiting(std::set<std::string> uids) { return waiting_ = std::move(uids), *this; }

void FakeTasks::Advance(std::chrono::nanoseconds time) {
  const int64_t until = now() + time.count();
  for (int ran = 0; const std::optional<Task> task = TakeDue(until); ++ran) {
    if (ran == 100'000) throw std::logic_error("tasks go on posting each other without any time passing");
    const CallScope scope(checker_, "a task", kSerial);
    task->fn(task->arg, 1);
  }
  Set(until);
}

int64_t FakeTasks::now() const {
  const std::lock_guard lock(mutex_);
  return now_;
}

std::optional<int64_t> FakeTasks::next() const {
  const std::lock_guard lock(mutex_);
  return tasks_.empty() ? std::nullopt : std::optional(tasks_.begin()->first);
}

size_t FakeTasks::pending() const {
  const std::lock_guard lock(mutex_);
  return tasks_.size();
}

void FakeTasks::End() {
  std::multimap<int64_t, Task> rest;
  {
    const std::lock_guard lock(mutex_);
    rest.swap(tasks_);
    ended_ = true;
  }
  const CallScope scope(checker_, "a task that does not run", kEnding);
  for (const auto& [due, task] : rest) task.fn(task.arg, 0);
}

berth_tasks FakeTasks::Table() { return {sizeof(berth_tasks), 0, &Post, &Activate, &Wall}; }

FakeTasks& FakeTasks::Of(const berth_host* host) { return static_cast<FakeHost*>(host->impl)->tasks(); }

void FakeTasks::Post(const berth_host* host, int64_t delay_ns, void (*fn)(void*, int32_t), void* arg) {
  FakeTasks& self = Of(host);
  self.checker_.MayCall("tasks post()", kAnywhere);
  if (delay_ns < 0) self.checker_.Report("tasks post() with a negative delay");
  if (!self.Add(delay_ns, {fn, arg})) fn(arg, 0);
}

int32_t FakeTasks::Activate(const berth_host* host, berth_str uid) {
  FakeTasks& self = Of(host);
  self.checker_.MayCall("tasks activate()", kSerial);
  const std::string pod(View(uid));
  self.activated_.push_back(pod);
  return !self.waiting_ || self.waiting_->contains(pod) ? 1 : 0;
}

int64_t FakeTasks::Wall(const berth_host* host) {
  FakeTasks& self = Of(host);
  self.checker_.MayCall("tasks wall_unix_ns()", kAnywhere);
  return self.start_ + self.now();
}

bool FakeTasks::Add(int64_t delay_ns, Task task) {
  const std::lock_guard lock(mutex_);
  if (ended_) return false;
  tasks_.emplace(now_ + std::max<int64_t>(delay_ns, 0), task);  // tasks of the same time stay in order
  return true;
}

std::optional<FakeTasks::Task> FakeTasks::TakeDue(int64_t until) {
  const std::lock_guard lock(mutex_);
  if (tasks_.empty() || tasks_.begin()->first > until) return std::nullopt;
  const auto first = tasks_.begin();
  now_ = std::max(now_, first->first);
  const Task task = first->second;
  tasks_.erase(first);
  return task;
}

void FakeTasks::Set(int64_t now) {
  const std::lock_guard lock(mutex_);
  now_ = std::max(now_, now);
}

}  // namespace berth::sdk::testing
