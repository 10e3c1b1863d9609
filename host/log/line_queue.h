// Lines on their way to a descriptor that may stall: whoever logs puts them into a bounded buffer, and a thread of the
// queue's own writes them. What does not fit is dropped and counted, and a line tells of it in its place, as soon as
// the descriptor takes lines again.
//
// Thread: any. Ownership: the descriptor is the caller's. The end of a queue waits for its last line to be written.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace berth::log {

class LineQueue {
 public:
  // As many bytes wait at most, and as many again may be on their way into the descriptor.
  static constexpr size_t kBytes = size_t{512} << 10;

  explicit LineQueue(int fd, size_t bytes = kBytes);
  ~LineQueue();
  LineQueue(const LineQueue&) = delete;

  // One line without its line break. Takes a lock that nobody holds while writing.
  void Add(std::string_view line);
  // Waits until all lines that were added before are written or lost; false: they were not in that time.
  // Async-signal-safe.
  bool Flush(std::chrono::milliseconds patience) const;
  // Lines that found no room, or that the descriptor refused, since the beginning.
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  struct Batch {
    std::string text;             // each line with its line break; a line may hold others
    std::vector<size_t> ends;     // of the lines, in text
    uint64_t dropped_behind = 0;  // lines that were dropped after the last one
  };
  void Run();
  bool Take(Batch& batch);
  void Write(const Batch& batch);

  const int fd_;
  const size_t bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Batch waiting_;
  bool ending_ = false;
  std::atomic<uint64_t> added_{0};    // lines that found room
  std::atomic<uint64_t> settled_{0};  // of those, how many are out of the queue
  std::atomic<uint64_t> dropped_{0};
  std::thread thread_;  // last: it uses the others
};

}  // namespace berth::log
