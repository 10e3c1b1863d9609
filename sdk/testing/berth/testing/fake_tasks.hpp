// Time and posted work by hand: nothing runs until the test says how much time passes.
//   plugin.host().tasks().Advance(std::chrono::seconds(5));   // runs what came due meanwhile, in order
// Thread: posting from any; the rest from the test's.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "berth/tasks.h"
#include "berth/testing/checker.hpp"
#include "berth/testing/fake_pod.hpp"
#include "berth/text.hpp"

namespace berth::sdk::testing {

class FakeTasks {
 public:
  explicit FakeTasks(Checker& checker) : checker_(checker) {}

  // ---- setting up
  FakeTasks& WallUnixNs(int64_t at_start) { return start_ = at_start, *this; }
  // Which pods wait, by uid; before this is called every pod does.
  FakeTasks& Waiting(std::set<std::string> uids) { return waiting_ = std::move(uids), *this; }

  // ---- time
  // Advances the clock and runs the tasks that are due, each as a [serial] call, also those that they post. 0 runs the
  // tasks that are due now.
  void Advance(std::chrono::nanoseconds time = {}) {
    const int64_t until = now() + time.count();
    for (int ran = 0; const std::optional<Task> task = TakeDue(until); ++ran) {
      if (ran == 100'000) throw std::logic_error("tasks go on posting each other without any time passing");
      const CallScope scope(checker_, "a task", kSerial);
      task->fn(task->arg, 1);
    }
    Set(until);
  }
  int64_t now() const {  // nanoseconds since the start
    const std::lock_guard lock(mutex_);
    return now_;
  }
  // When the next task is due, nanoseconds since the start; nullopt without one.
  std::optional<int64_t> next() const {
    const std::lock_guard lock(mutex_);
    return tasks_.empty() ? std::nullopt : std::optional(tasks_.begin()->first);
  }

  // ---- what the plugin did
  size_t pending() const {
    const std::lock_guard lock(mutex_);
    return tasks_.size();
  }
  const Texts& activated() const { return activated_; }  // uids, in order

  // As the host ends an instance: what has not run is let go. Called by PluginUnderTest.
  void End() {
    std::multimap<int64_t, Task> rest;
    {
      const std::lock_guard lock(mutex_);
      rest.swap(tasks_);
      ended_ = true;
    }
    const CallScope scope(checker_, "a task that does not run", kEnding);
    for (const auto& [due, task] : rest) task.fn(task.arg, 0);
  }

  // The table, of a host that has tasks() and is what berth_host.impl points at.
  template <class FakeHost>
  static berth_tasks Table() {
    return {sizeof(berth_tasks), 0, &Post<FakeHost>, &Activate<FakeHost>, &Wall<FakeHost>};
  }

 private:
  struct Task {
    void (*fn)(void* arg, int32_t run);
    void* arg;
  };

  template <class FakeHost>
  static FakeTasks& Of(const berth_host* host) {
    return static_cast<FakeHost*>(host->impl)->tasks();
  }
  template <class FakeHost>
  static void Post(const berth_host* host, int64_t delay_ns, void (*fn)(void*, int32_t), void* arg) {
    FakeTasks& self = Of<FakeHost>(host);
    self.checker_.MayCall("tasks post()", kAnywhere);
    if (delay_ns < 0) self.checker_.Report("tasks post() with a negative delay");
    if (!self.Add(delay_ns, {fn, arg})) fn(arg, 0);
  }
  template <class FakeHost>
  static int32_t Activate(const berth_host* host, berth_str uid) {
    FakeTasks& self = Of<FakeHost>(host);
    self.checker_.MayCall("tasks activate()", kSerial);
    const std::string pod(View(uid));
    self.activated_.push_back(pod);
    return !self.waiting_ || self.waiting_->contains(pod) ? 1 : 0;
  }
  template <class FakeHost>
  static int64_t Wall(const berth_host* host) {
    FakeTasks& self = Of<FakeHost>(host);
    self.checker_.MayCall("tasks wall_unix_ns()", kAnywhere);
    return self.start_ + self.now();
  }

  bool Add(int64_t delay_ns, Task task) {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    tasks_.emplace(now_ + std::max<int64_t>(delay_ns, 0), task);  // equal times stay in order
    return true;
  }
  std::optional<Task> TakeDue(int64_t until) {
    const std::lock_guard lock(mutex_);
    if (tasks_.empty() || tasks_.begin()->first > until) return std::nullopt;
    const auto first = tasks_.begin();
    now_ = std::max(now_, first->first);
    const Task task = first->second;
    tasks_.erase(first);
    return task;
  }
  void Set(int64_t now) {
    const std::lock_guard lock(mutex_);
    now_ = std::max(now_, now);
  }

  Checker& checker_;
  int64_t start_ = 1'767'225'600'000'000'000;  // 2026-01-01T00:00:00Z
  std::optional<std::set<std::string>> waiting_;
  Texts activated_;
  mutable std::mutex mutex_;            // guards what follows
  std::multimap<int64_t, Task> tasks_;  // by when they are due
  int64_t now_ = 0;
  bool ended_ = false;
};

}  // namespace berth::sdk::testing
