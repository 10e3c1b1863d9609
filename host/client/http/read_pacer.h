// Decides when a connection receives so much, as during a list of all pods, that its thread pauses before it reads
// again. Otherwise each small TLS record wakes the thread, which costs both sides more than the record itself. Thread:
// one at a time; pure.
#pragma once

#include <chrono>
#include <cstddef>

namespace berth::http {

class ReadPacer {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds kPause{400};    // other replies wait for it, too
  static constexpr std::chrono::milliseconds kInterval{10};  // of measuring
  static constexpr size_t kBulkBytes = size_t{256} << 10;    // of one interval: 26 MB/s

  // A read has returned.
  void OnRead(size_t bytes, Clock::time_point now) {
    bytes_ += bytes;
    const auto elapsed = now - began_;
    if (elapsed < kInterval) return;
    bulk_ = bytes_ >= kBulkBytes && elapsed < 2 * kInterval;
    began_ = now;
    bytes_ = 0;
  }
  // Whether to pause when there is nothing more to read.
  bool bulk() const { return bulk_; }

 private:
  Clock::time_point began_{};  // of the current interval
  size_t bytes_ = 0;           // in it
  bool bulk_ = false;          // of the last interval
};

}  // namespace berth::http
