// Two times, real or virtual: wall (comparable with the API server's) and mono (durations and deadlines only).
// Thread: any; VirtualClock is advanced by the scheduling thread only.
#pragma once

#include <atomic>
#include <cstdint>

namespace berth::base {

inline constexpr int64_t kSecond = 1'000'000'000;  // all times are int64 nanoseconds
inline constexpr int64_t kMillisecond = 1'000'000;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual int64_t WallUnixNs() const = 0;
  virtual int64_t MonoNs() const = 0;
};

class RealClock final : public Clock {
 public:
  int64_t WallUnixNs() const override;
  int64_t MonoNs() const override;
};

// Stands still until advanced. Starts at a wall time given by the caller; mono starts at 0.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(int64_t wall_unix_ns) : start_wall_(wall_unix_ns) {}
  int64_t WallUnixNs() const override { return start_wall_ + elapsed_.load(std::memory_order_relaxed); }
  int64_t MonoNs() const override { return elapsed_.load(std::memory_order_relaxed); }
  // Never backwards: earlier times are ignored.
  void AdvanceTo(int64_t mono_ns);
  void Advance(int64_t ns) { AdvanceTo(MonoNs() + ns); }

 private:
  const int64_t start_wall_;
  std::atomic<int64_t> elapsed_{0};
};

// A virtual clock on which every look at the wall takes a nanosecond: things that happen one after the other have times
// one after the other, as they have in a cluster, and the same story has the same times.
class TickingClock final : public Clock {
 public:
  explicit TickingClock(int64_t wall_unix_ns) : clock_(wall_unix_ns) {}
  int64_t WallUnixNs() const override {
    clock_.Advance(1);
    return clock_.WallUnixNs();
  }
  int64_t MonoNs() const override { return clock_.MonoNs(); }
  void AdvanceTo(int64_t mono_ns) { clock_.AdvanceTo(mono_ns); }

 private:
  mutable VirtualClock clock_;
};

}  // namespace berth::base
