// Time and posted tasks that the test controls: a task runs only when the test advances the clock.
//   plugin.host().tasks().Advance(std::chrono::seconds(5));   // runs the tasks that come due, in order
// Thread: any thread posts tasks; the test's thread calls the rest.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "berth/tasks.h"
#include "berth/testing/checker.hpp"
#include "berth/testing/fake_pod.hpp"
#include "berth/text.hpp"

namespace berth::sdk::testing {

class FakeTasks {
 public:
  explicit FakeTasks(Checker& checker);
  FakeTasks(const FakeTasks&) = delete;
  ~FakeTasks();

  // ---- setup
  FakeTasks& WallUnixNs(int64_t at_start) { return start_ = at_start, *this; }
  // The UIDs of the pods that wait. Without a call, every pod waits.
  FakeTasks& Waiting(std::set<std::string> uids);

  // ---- time
  // Advances the clock and runs the tasks that are due, and those that they post, each as a [serial] call. 0 runs the
  // tasks that are due now.
  void Advance(std::chrono::nanoseconds time = {});
  int64_t now() const;  // nanoseconds since the start
  // When the next task is due, in nanoseconds since the start; nullopt: there is none.
  std::optional<int64_t> next() const;

  // ---- what the plugin did
  size_t pending() const;
  const Texts& activated() const { return activated_; }  // uids, in order

  // As the host ends an instance: releases the tasks that have not run. PluginUnderTest calls it.
  void End();

  // The service's table in a FakeHost.
  static berth_tasks Table();

 private:
  struct Task {
    void (*fn)(void* arg, int32_t run);
    void* arg;
  };

  static FakeTasks& Of(const berth_host* host);
  static void Post(const berth_host* host, int64_t delay_ns, void (*fn)(void*, int32_t), void* arg);
  static int32_t Activate(const berth_host* host, berth_str uid);
  static int64_t Wall(const berth_host* host);

  bool Add(int64_t delay_ns, Task task);
  std::optional<Task> TakeDue(int64_t until);
  void Set(int64_t now);

  Checker& checker_;
  int64_t start_ = 1'767'225'600'000'000'000;  // 2026-01-01T00:00:00Z
  std::optional<std::set<std::string>> waiting_;
  Texts activated_;
  mutable std::mutex mutex_;            // guards the following members
  std::multimap<int64_t, Task> tasks_;  // by the time when they are due
  int64_t now_ = 0;
  bool ended_ = false;
};

}  // namespace berth::sdk::testing
