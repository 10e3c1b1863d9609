// Functions that run at a given time. Functions with the same time run in the order of Add.
// Thread: one, the scheduling thread. Ownership: owns the functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace berth::engine {

class TimedTasks {
 public:
  void Add(int64_t due, std::function<void()> fn) {  // mono ns
    tasks_.push_back({due, ++posted_, std::move(fn)});
    std::push_heap(tasks_.begin(), tasks_.end(), Later);
  }
  // Runs the functions that are due at now (mono ns) and returns their number. A function that these add waits for the
  // next call, so that tasks that post each other do not stop scheduling.
  size_t RunDue(int64_t now) {
    std::vector<std::function<void()>> due;
    while (!tasks_.empty() && tasks_.front().due <= now) {
      std::pop_heap(tasks_.begin(), tasks_.end(), Later);
      due.push_back(std::move(tasks_.back().fn));
      tasks_.pop_back();
    }
    for (const auto& fn : due) fn();
    return due.size();
  }
  // When the first one is due, mono ns.
  std::optional<int64_t> Next() const { return tasks_.empty() ? std::nullopt : std::optional(tasks_.front().due); }

 private:
  struct Task {
    int64_t due;
    uint64_t number;
    std::function<void()> fn;
  };
  static bool Later(const Task& a, const Task& b) { return a.due != b.due ? a.due > b.due : a.number > b.number; }

  std::vector<Task> tasks_;  // a heap
  uint64_t posted_ = 0;
};

}  // namespace berth::engine
