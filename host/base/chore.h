// Work that is seldom to be done and may take long: a look on the housekeeping thread finds out whether there is some,
// and then it runs on a thread of its own, which exists only for it.
// Thread: look and work never run at the same time. Ownership: what they use outlives the chore.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include "base/housekeeper.h"
#include "base/task_threads.h"

namespace berth::base {

class Chore {
 public:
  // Calls look every so often; when it returns true, calls work. look is short, see Housekeeper. name: of the thread.
  Chore(std::string name, std::chrono::nanoseconds every, std::function<bool()> look, std::function<void()> work)
      : look_(std::move(look)),
        work_(std::move(work)),
        thread_({.name = std::move(name), .most = 1, .idle = std::chrono::seconds(5)}),
        looks_(every, [this] { Look(); }) {}
  // Waits for work under way. Not within look or work.
  ~Chore() = default;
  Chore(const Chore&) = delete;

 private:
  void Look() {
    if (busy_ || !look_()) return;
    busy_ = true;
    const auto posted = thread_.Post([this] { Work(); });
    if (posted == TaskThreads::Posted::kNoThread) Work();
  }
  void Work() {
    work_();
    busy_ = false;
  }

  const std::function<bool()> look_;
  const std::function<void()> work_;
  std::atomic<bool> busy_{false};
  TaskThreads thread_;
  PeriodicTask looks_;  // destroyed first
};

}  // namespace berth::base
