#include "scheduler/framework/profile_times.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth::framework {
namespace {

TEST(Durations, BoundsAreInclusive) {
  Durations<12> durations;
  for (const int64_t ns : {0, 100'000, 100'001, 200'000, 204'800'000, 204'800'001}) durations.Add(ns, kPointBounds);
  EXPECT_EQ(durations.n(), 6u);
  EXPECT_EQ(durations.counts()[0], 2u);
  EXPECT_EQ(durations.counts()[1], 2u);
  EXPECT_EQ(durations.counts()[11], 1u);
  EXPECT_EQ(durations.counts()[12], 1u);
  EXPECT_EQ(durations.sum_ns(), 0 + 100'000 + 100'001 + 200'000 + 204'800'000 + 204'800'001);
}

TEST(Durations, BoundsAreThoseOfTheMetrics) {
  EXPECT_EQ(kPointBounds.back(), 204'800'000);
  EXPECT_EQ(kPermitWaitBounds.back(), 16'384'000'000);
  EXPECT_EQ(kPluginBounds[0], 10'000);
  EXPECT_EQ(kPluginBounds[2], 22'500);
  EXPECT_EQ(kPluginBounds[19], 22'168'378);
}

struct Recorder : TimesSink {
  std::vector<std::string> lines;
  void Point(std::string_view profile, TimedPoint point, plugin::Code code, Counts, int64_t sum_ns) override {
    Add(profile, point, code, sum_ns);
  }
  void Plugin(std::string_view plugin, TimedPoint point, plugin::Code code, Counts, int64_t sum_ns) override {
    Add(plugin, point, code, sum_ns);
  }
  void PermitWait(plugin::Code code, Counts, int64_t sum_ns) override {
    lines.push_back(std::string("wait ") + plugin::CodeName(code) + " " + std::to_string(sum_ns));
  }
  void Evaluations(std::string_view, std::string_view, TimedPoint, uint64_t) override {}
  void CyclesWithoutHint(std::string_view, uint64_t) override {}
  void PreemptionAttempts(uint64_t n) override { lines.push_back("preemption " + std::to_string(n)); }
  void Add(std::string_view who, TimedPoint point, plugin::Code code, int64_t sum_ns) {
    lines.push_back(std::string(who) + " " + std::string(LabelOf(point)) + " " + plugin::CodeName(code) + " " +
                    std::to_string(sum_ns));
  }
};

TEST(ProfileTimes, DrainTakesWhatWasRecorded) {
  ProfileTimes::Names names;
  names[static_cast<size_t>(TimedPoint::kScore)] = {"S"};
  names[static_cast<size_t>(TimedPoint::kBind)] = {"B"};
  names[static_cast<size_t>(TimedPoint::kPostFilter)] = {"Other", "DefaultPreemption", "CapacityScheduling"};
  ProfileTimes times("p", std::move(names));
  times.AddPoint(TimedPoint::kScore, plugin::Code::kSuccess, 5);
  times.AddPoint(TimedPoint::kScore, plugin::Code::kSuccess, 6);
  times.AddPoint(TimedPoint::kBind, plugin::Code::kError, 7);
  times.AddPlugin(TimedPoint::kScore, 0, plugin::Code::kSuccess, 1);
  times.AddPlugin(TimedPoint::kBind, 0, plugin::Code::kError, 2);
  times.AddPermitWait(plugin::Code::kUnschedulable, 3);
  times.AddPostFilter(0);
  times.AddPostFilter(1);
  times.AddPostFilter(2);
  Recorder first, second;
  times.Drain(first);
  times.Drain(second);
  EXPECT_EQ(first.lines, (std::vector<std::string>{"p Score Success 11", "S Score Success 1", "p Bind Error 7",
                                                   "B Bind Error 2", "wait Unschedulable 3", "preemption 2"}));
  EXPECT_TRUE(second.lines.empty());
}

ProfileTimes WithFilters() {
  ProfileTimes::Names names;
  names[static_cast<size_t>(TimedPoint::kFilter)] = {"A", "B"};
  return ProfileTimes("p", std::move(names));
}

// Collects the durations of plugins.
struct Laps final : Recorder {
  std::vector<std::pair<std::string, int64_t>> plugins;  // name and code, sum in ns
  void Plugin(std::string_view plugin, TimedPoint, plugin::Code code, Counts, int64_t sum_ns) override {
    plugins.emplace_back(std::string(plugin) + " " + plugin::CodeName(code), sum_ns);
  }
};

void Spend(int64_t ns) {
  const base::Ticks began = base::Ticks::Now();
  while (base::Ticks::Now().Since(began) < ns) {
  }
}

TEST(PluginLaps, EachPluginBeginsWhereTheOneBeforeEnded) {
  ProfileTimes times = WithFilters();
  const base::Ticks began = base::Ticks::Now();
  PluginLaps laps(times, TimedPoint::kFilter, /*sampled=*/true);
  laps.Run(0, [] {
    Spend(300'000);
    return plugin::Status();
  });
  Spend(200'000);
  laps.End(1, plugin::Code::kUnschedulable);
  const int64_t all = base::Ticks::Now().Since(began);
  Laps got;
  times.Drain(got);
  ASSERT_EQ(got.plugins.size(), 2u);
  EXPECT_EQ(got.plugins[0].first, "A Success");
  EXPECT_GE(got.plugins[0].second, 300'000);
  EXPECT_EQ(got.plugins[1].first, "B Unschedulable");
  EXPECT_GE(got.plugins[1].second, 200'000);
  EXPECT_LE(got.plugins[0].second + got.plugins[1].second, all);
}

TEST(PluginLaps, WithoutASampleNothingIsRecorded) {
  ProfileTimes times = WithFilters();
  PluginLaps laps(times, TimedPoint::kFilter, /*sampled=*/false);
  EXPECT_EQ(laps.Run(0,
                     [] {
                       return plugin::Status{plugin::Code::kUnschedulable, base::kNoId, {}};
                     })
                .code,
            plugin::Code::kUnschedulable);
  laps.End(1, plugin::Code::kSuccess);
  Laps got;
  times.Drain(got);
  EXPECT_TRUE(got.plugins.empty());
}

}  // namespace
}  // namespace berth::framework
