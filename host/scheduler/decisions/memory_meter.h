// Counts the bytes that recorded decisions hold, so that the ring can keep its limit. Thread: any.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace berth::decisions {

class MemoryMeter {
 public:
  void Add(size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void Subtract(size_t bytes) { bytes_.fetch_sub(bytes, std::memory_order_relaxed); }
  size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  std::atomic<size_t> bytes_{0};
};

// What a recorded value adds to a meter from its construction to its destruction. Ownership: shares the meter, because
// a reader may keep a decision longer than the ring does.
class Metered {
 public:
  Metered(std::shared_ptr<MemoryMeter> meter, size_t bytes) : meter_(std::move(meter)), bytes_(bytes) {
    meter_->Add(bytes_);
  }
  ~Metered() {
    if (meter_ != nullptr) meter_->Subtract(bytes_);
  }
  Metered(Metered&&) noexcept = default;  // the moved object counts nothing
  Metered(const Metered&) = delete;
  Metered& operator=(const Metered&) = delete;
  size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<MemoryMeter> meter_;
  size_t bytes_;
};

}  // namespace berth::decisions
