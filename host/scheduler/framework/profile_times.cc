#include "scheduler/framework/profile_times.h"

namespace berth::framework {
namespace {

// The plugins that count an attempt to preempt in each PostFilter, also in scheduler-plugins.
bool Preempts(std::string_view plugin) {
  return plugin == "DefaultPreemption" || plugin == "CapacityScheduling" || plugin == "PreemptionToleration" ||
         plugin == "CrossNodePreemption";
}

// Fn(code, durations) for each that is not empty, which becomes empty.
template <class ByCode, class Fn>
void TakeEach(ByCode& by_code, Fn&& fn) {
  for (size_t code = 0; code < by_code.size(); ++code) {
    if (by_code[code].n() == 0) continue;
    fn(static_cast<plugin::Code>(code), by_code[code]);
    by_code[code] = {};
  }
}

}  // namespace

std::string_view LabelOf(TimedPoint point) {
  static constexpr std::array<std::string_view, kTimedPoints> kLabels{
      "PreEnqueue", "PreFilter", "Filter",    "PostFilter",       "PreScore", "Score", "ScoreExtensionNormalize",
      "Reserve",    "Permit",    "Unreserve", "PreBindPreFlight", "PreBind",  "Bind",  "PostBind"};
  return kLabels[static_cast<size_t>(point)];
}

ProfileTimes::ProfileTimes(std::string profile, Names plugins)
    : profile_(std::move(profile)),
      names_(std::move(plugins)),
      serial_(MakeTable(/*binding=*/false)),
      binding_(MakeTable(/*binding=*/true)) {
  for (const TimedPoint point :
       {TimedPoint::kPreFilter, TimedPoint::kFilter, TimedPoint::kPreScore, TimedPoint::kScore}) {
    evaluations_[Index(point)].resize(names_[Index(point)].size());
  }
  base::Ticks::Now();  // the first call takes two milliseconds, which must not delay an attempt
}

ProfileTimes::Table ProfileTimes::MakeTable(bool binding) const {
  Table table;
  for (size_t i = 0; i < kTimedPoints; ++i) {
    if (InBinding(static_cast<TimedPoint>(i)) == binding) table.plugins[i].resize(names_[i].size());
  }
  return table;
}

void ProfileTimes::AddPoint(TimedPoint point, plugin::Code code, int64_t ns) {
  const auto add = [&](Table& table) { table.points[Index(point)][static_cast<size_t>(code)].Add(ns, kPointBounds); };
  if (!InBinding(point)) {
    attempt_[Index(point)] += Micros(ns);
    return add(serial_);
  }
  base::MutexLock lock(mutex_);
  add(binding_);
}

void ProfileTimes::AddPlugin(TimedPoint point, size_t position, plugin::Code code, int64_t ns) {
  const auto add = [&](Table& table) {
    table.plugins[Index(point)][position][static_cast<size_t>(code)].Add(ns, kPluginBounds);
  };
  if (!InBinding(point)) return add(serial_);
  base::MutexLock lock(mutex_);
  add(binding_);
}

void ProfileTimes::AddPostFilter(size_t position) {
  if (Preempts(names_[Index(TimedPoint::kPostFilter)][position])) ++preemption_attempts_;
}

void ProfileTimes::AddPermitWait(plugin::Code code, int64_t ns) {
  base::MutexLock lock(mutex_);
  permit_waits_[static_cast<size_t>(code)].Add(ns, kPermitWaitBounds);
}

void ProfileTimes::Drain(TimesSink& sink) {
  DrainTable(serial_, sink);
  DrainBinding(sink);
  DrainEvaluations(sink);
  if (without_hint_ > 0) sink.CyclesWithoutHint(profile_, std::exchange(without_hint_, 0));
  if (preemption_attempts_ > 0) sink.PreemptionAttempts(std::exchange(preemption_attempts_, 0));
  drained_ = true;
}

void ProfileTimes::DrainBinding(TimesSink& sink) {
  base::MutexLock lock(mutex_);
  DrainTable(binding_, sink);
  TakeEach(permit_waits_, [&](plugin::Code code, const auto& d) { sink.PermitWait(code, d.counts(), d.sum_ns()); });
}

void ProfileTimes::DrainTable(Table& table, TimesSink& sink) {
  for (size_t i = 0; i < kTimedPoints; ++i) {
    const auto point = static_cast<TimedPoint>(i);
    TakeEach(table.points[i],
             [&](plugin::Code code, const auto& d) { sink.Point(profile_, point, code, d.counts(), d.sum_ns()); });
    for (size_t p = 0; p < table.plugins[i].size(); ++p) {
      TakeEach(table.plugins[i][p], [&](plugin::Code code, const auto& d) {
        sink.Plugin(names_[i][p], point, code, d.counts(), d.sum_ns());
      });
    }
  }
}

void ProfileTimes::DrainEvaluations(TimesSink& sink) {
  for (size_t i = 0; i < kTimedPoints; ++i) {
    for (size_t p = 0; p < evaluations_[i].size(); ++p) {
      if (drained_ && evaluations_[i][p] == 0) continue;
      sink.Evaluations(profile_, names_[i][p], static_cast<TimedPoint>(i), std::exchange(evaluations_[i][p], 0));
    }
  }
}

}  // namespace berth::framework
