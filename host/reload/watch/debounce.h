// Decides when a series of changes is over. A change is reported after a quiet period, but changes that never stop do
// not delay the report forever. The wait for an incompletely written file is longer: half of a configuration may be
// valid. Arithmetic only; used by the watcher's thread.
#pragma once

#include <algorithm>
#include <chrono>

namespace berth::reload {

struct DebounceTimes {
  std::chrono::milliseconds quiet{150};       // without a change, before a change is reported
  std::chrono::milliseconds at_most{2'000};   // since the first change, or the last write to an open file
  std::chrono::milliseconds writing{30'000};  // since the first change, when a file is still being written
};

class Debounce {
 public:
  using Time = std::chrono::steady_clock::time_point;
  explicit Debounce(const DebounceTimes& times) : times_(times) {}

  // heard: an event reported the change; events also show when writers are done. Without events, a changing file counts
  // as being written.
  void Change(Time now, bool heard) {
    if (!waiting_) first_ = now;
    heard_ = (waiting_ && heard_) || heard;
    waiting_ = true;
    last_ = now;
  }
  void Over() { waiting_ = false; }

  bool waiting() const { return waiting_; }
  // Only while waiting. being_written: a process has written to a file and not closed it.
  Time Limit(bool being_written) const { return first_ + (being_written || !heard_ ? times_.writing : times_.at_most); }
  Time Due(bool being_written) const {
    return std::min(last_ + (being_written ? times_.at_most : times_.quiet), Limit(being_written));
  }

 private:
  const DebounceTimes times_;
  bool waiting_ = false, heard_ = false;
  Time first_{}, last_{};
};

}  // namespace berth::reload
