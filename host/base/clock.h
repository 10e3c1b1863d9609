// Two clocks, real or virtual: wall time (comparable with the API server's) and mono time (durations and deadlines
// only). Thread: any; only the scheduling thread advances VirtualClock.
#pragma once

#include <atomic>
#include <cstdint>

namespace berth::base {

inline constexpr int64_t kSecond = 1'000'000'000;  // all times are int64 nanoseconds
inline constexpr int64_t kMillisecond = 1'000'000;

inline double InSeconds(int64_t ns) { return static_cast<double>(ns) / kSecond; }

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

// Changes only when advanced. Starts at the given wall time; mono time starts at 0.
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

// A virtual clock that advances by a nanosecond with every read of the wall time: sequential events get increasing
// times, as in a cluster, and equal runs get equal times.
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
