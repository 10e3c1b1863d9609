// A bounded buffer for log lines, for descriptors that may stall. Callers add lines, and the queue's own thread writes
// them. Lines that do not fit are dropped and counted, and a line in their place reports the number when the descriptor
// accepts lines again.
//
// Thread: any. Ownership: the caller owns the descriptor. The destructor waits until the last line is written.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/thread_annotations.h"

namespace berth::log {

class LineQueue {
 public:
  // The largest number of bytes in the buffer. As many again may be in the process of being written.
  static constexpr size_t kBytes = size_t{512} << 10;

  // How many bytes may be held back, to write them together, and for how long. Flush ends it.
  struct Hold {
    size_t bytes = 0;
    std::chrono::nanoseconds time{0};
  };

  explicit LineQueue(int fd, size_t bytes = kBytes);
  LineQueue(int fd, size_t bytes, Hold hold);
  ~LineQueue();
  LineQueue(const LineQueue&) = delete;

  // Adds one line without its newline. Takes a lock that is not held during writes.
  void Add(std::string_view line);
  // Waits until all lines added before are written or lost. Returns false if that takes longer than `timeout`.
  // Async-signal-safe.
  bool Flush(std::chrono::milliseconds timeout) const;
  // Lines that did not fit, or that the descriptor refused, since construction.
  uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  struct Batch {
    std::string text;             // each line with its newline; a line may contain others
    std::vector<size_t> ends;     // of the lines, in text
    uint64_t dropped_behind = 0;  // lines that were dropped after the last one
  };
  void Run();
  void HoldBack(base::MutexLock& lock) REQUIRES(mutex_);
  bool Take(Batch& batch);
  void Write(const Batch& batch);

  const int fd_;
  const size_t bytes_;
  const Hold hold_;
  base::Mutex mutex_;
  base::Condition changed_;
  Batch waiting_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::atomic<uint64_t> added_{0};    // lines that found room
  std::atomic<uint64_t> settled_{0};  // the lines of them that have left the queue
  std::atomic<uint64_t> dropped_{0};
  mutable std::atomic<uint64_t> wanted_{0};  // how many settled lines Flush waits for
  std::thread thread_;                       // last: it uses the others
};

}  // namespace berth::log
