// How long the extension points and plugins of one profile take, and how often plugins decide: numbers in arrays that
// are prepared with the profile, so that a cycle records them without a lookup, a lock, or an allocation. A collector
// takes them from time to time. As upstream, an extension point is always timed, and plugins in one cycle of ten.
// Source: pkg/scheduler/framework/runtime/framework.go (FrameworkExtensionPointDuration, ObservePluginDurationAsync),
// instrumented_plugins.go.
//
// Thread: the serial points and Drain on the scheduling thread; the points of the binding cycle on any, under a lock.
// Ownership: shared by the profile and its collector, because numbers outlive the profile until they are collected.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/thread_annotations.h"
#include "base/ticks.h"
#include "plugin/instance/status.h"
#include "scheduler/decisions/decision.h"
#include "scheduler/framework/attempt_trace.h"
#include "scheduler/framework/durations.h"
#include "telemetry/trace/current.h"

namespace berth::framework {

// The values of the label extension_point. Those from kUnreserve on belong to the binding cycle.
enum class TimedPoint : uint8_t {
  kPreEnqueue,
  kPreFilter,
  kFilter,
  kPostFilter,
  kPreScore,
  kScore,
  kNormalizeScore,
  kReserve,
  kPermit,
  kUnreserve,
  kPreBindPreFlight,
  kPreBind,
  kBind,
  kPostBind,
};
inline constexpr size_t kTimedPoints = decisions::kPoints;
inline constexpr uint32_t kSampledPercent = 10;  // of the cycles; upstream's pluginMetricsSamplePercent
std::string_view LabelOf(TimedPoint point);      // "ScoreExtensionNormalize"

// Receives numbers since the last Drain. counts: by bucket, the last above every bound.
class TimesSink {
 public:
  virtual ~TimesSink() = default;
  using Counts = std::span<const uint32_t>;
  virtual void Point(std::string_view profile, TimedPoint, plugin::Code, Counts, int64_t sum_ns) = 0;
  virtual void Plugin(std::string_view plugin, TimedPoint, plugin::Code, Counts, int64_t sum_ns) = 0;
  virtual void PermitWait(plugin::Code, Counts, int64_t sum_ns) = 0;
  // Also with n 0 in the first Drain, so that each series exists from the start.
  virtual void Evaluations(std::string_view profile, std::string_view plugin, TimedPoint, uint64_t n) = 0;
  virtual void CyclesWithoutHint(std::string_view profile, uint64_t n) = 0;
  virtual void PreemptionAttempts(uint64_t n) = 0;
};

class ProfileTimes {
 public:
  using Names = std::array<std::vector<std::string>, kTimedPoints>;  // of the plugins, in the order of the profile
  ProfileTimes(std::string profile, Names plugins);

  // What the points of the scheduling cycle took since BeginAttempt. Scheduling thread.
  void BeginAttempt() { attempt_ = {}; }
  const decisions::PointMicros& attempt() const { return attempt_; }

  bool HasPlugins(TimedPoint point) const { return !names_[Index(point)].empty(); }
  void AddPoint(TimedPoint point, plugin::Code code, int64_t ns);
  void AddPlugin(TimedPoint point, size_t position, plugin::Code code, int64_t ns);
  // n nodes (Filter, Score) or pods (PreFilter, PreScore) for which the plugin's answer counted.
  void AddEvaluations(TimedPoint point, size_t position, uint64_t n) { evaluations_[Index(point)][position] += n; }
  void AddCycleWithoutHint() { ++without_hint_; }  // a cycle that came to Filter; Berth does not batch
  void AddPostFilter(size_t position);             // counts attempts to preempt
  void AddPermitWait(plugin::Code code, int64_t ns);

  void Drain(TimesSink& sink);

 private:
  static constexpr size_t kCodes = BERTH_PENDING + 1;
  static size_t Index(TimedPoint point) { return static_cast<size_t>(point); }
  static bool InBinding(TimedPoint point) { return point >= TimedPoint::kUnreserve; }
  template <size_t N>
  using ByCode = std::array<Durations<N>, kCodes>;
  struct Table {
    std::array<ByCode<12>, kTimedPoints> points;
    std::array<std::vector<ByCode<20>>, kTimedPoints> plugins;
  };
  Table MakeTable(bool binding) const;
  void DrainTable(Table& table, TimesSink& sink);
  void DrainEvaluations(TimesSink& sink);
  void DrainBinding(TimesSink& sink);

  const std::string profile_;
  const Names names_;
  Table serial_;
  decisions::PointMicros attempt_{};
  std::array<std::vector<uint64_t>, kTimedPoints> evaluations_;
  uint64_t without_hint_ = 0, preemption_attempts_ = 0;
  bool drained_ = false;

  base::Mutex mutex_;
  Table binding_ GUARDED_BY(mutex_);
  ByCode<15> permit_waits_ GUARDED_BY(mutex_);
};

inline int64_t NowNs() { return base::RealClock().MonoNs(); }

inline const plugin::Status& StatusIn(const plugin::Status& status) { return status; }
template <class Result>
const plugin::Status& StatusIn(const Result& result) {
  return result.status;
}

inline float Micros(int64_t ns) { return static_cast<float>(ns) / 1000; }

// Runs fn, which returns a Status or a result that contains one, and records its duration and code. The clock is not
// read for an extension point without plugins. trace: of the attempt.
template <class Fn>
auto TimedRun(ProfileTimes& times, const AttemptTrace& trace, TimedPoint point, Fn&& fn) {
  if (!times.HasPlugins(point)) {
    auto result = fn();
    times.AddPoint(point, StatusIn(result).code, 0);
    return result;
  }
  if (trace.sampled()) [[unlikely]] {
    const int64_t started = NowNs();
    const trace::SpanContext span = trace.BeginPoint();
    const trace::Scope scope(span);
    auto result = fn();
    const int64_t ended = NowNs();
    times.AddPoint(point, StatusIn(result).code, ended - started);
    trace.EndPoint(span, LabelOf(point), StatusIn(result), started, ended);
    return result;
  }
  const base::Ticks started = base::Ticks::Now();
  auto result = fn();
  times.AddPoint(point, StatusIn(result).code, base::Ticks::Now().Since(started));
  return result;
}

// Times the plugins of one extension point, if the cycle is sampled: each from the end of the one before, so that the
// clock is read once for a plugin. What the host does between two plugins counts for the second.
class PluginLaps {
 public:
  PluginLaps(ProfileTimes& times, TimedPoint point, bool sampled)
      : times_(times), point_(point), sampled_(sampled), began_(sampled ? base::Ticks::Now() : base::Ticks()) {}
  // The plugin at this position of the profile has returned code.
  void End(size_t position, plugin::Code code) {
    if (!sampled_) return;
    const base::Ticks ended = base::Ticks::Now();
    times_.AddPlugin(point_, position, code, ended.Since(began_));
    began_ = ended;
  }
  template <class Fn>
  plugin::Status Run(size_t position, Fn&& fn) {
    plugin::Status status = std::forward<Fn>(fn)();
    End(position, status.code);
    return status;
  }

 private:
  ProfileTimes& times_;
  const TimedPoint point_;
  const bool sampled_;
  base::Ticks began_;
};

// The same for one plugin.
template <class Fn>
plugin::Status TimedCall(ProfileTimes& times, bool sampled, TimedPoint point, size_t position, Fn&& fn) {
  return PluginLaps(times, point, sampled).Run(position, std::forward<Fn>(fn));
}

}  // namespace berth::framework
