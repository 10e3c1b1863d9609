// Visits all rows, a few in each task, because a task of the host must be short. Thread: serial. The host drops the
// task that waits when it ends the plugin.
#pragma once

#include <berth/tasks.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

namespace plugins::trimaran {

class RowWalk {
 public:
  using Visit = std::function<void(uint32_t row)>;

  RowWalk(const berth::sdk::Tasks& tasks, uint32_t rows_per_task, Visit visit)
      : tasks_(tasks), rows_per_task_(rows_per_task), visit_(std::move(visit)) {}

  // Begins with row 0, also if a walk has not ended. Visits the first rows at once, unless one has not ended.
  void Start(uint32_t rows) {
    next_ = 0;
    end_ = rows;
    if (!posted_) Step();
  }

 private:
  void Step() {
    posted_ = false;
    for (uint32_t left = std::min(rows_per_task_, end_ - next_); left > 0; --left) visit_(next_++);
    if (next_ == end_) return;
    tasks_.Post([this] { Step(); });
    posted_ = true;
  }

  const berth::sdk::Tasks& tasks_;
  const uint32_t rows_per_task_;
  const Visit visit_;
  uint32_t next_ = 0, end_ = 0;
  bool posted_ = false;
};

}  // namespace plugins::trimaran
