// What cycles record in framework::ProfileTimes, and that no decision depends on it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <string>

#include "scheduler/framework/profile_times.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using framework::TimedPoint;

// Keeps the counts: "Filter/Success" of points, "A/Filter/Success" of plugins, "A/Filter" of evaluations.
class Sink final : public framework::TimesSink {
 public:
  std::map<std::string, uint64_t> counts;
  uint64_t without_hint = 0, preemption_attempts = 0, permit_waits = 0;

 private:
  static uint64_t Sum(Counts counts) { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }
  static std::string Of(TimedPoint point, plugin::Code code) {
    return std::string(framework::LabelOf(point)) + "/" + plugin::CodeName(code);
  }
  void Point(std::string_view, TimedPoint point, plugin::Code code, Counts all, int64_t) override {
    counts[Of(point, code)] += Sum(all);
  }
  void Plugin(std::string_view plugin, TimedPoint point, plugin::Code code, Counts all, int64_t) override {
    counts[std::string(plugin) + "/" + Of(point, code)] += Sum(all);
  }
  void PermitWait(plugin::Code, Counts all, int64_t) override { permit_waits += Sum(all); }
  void Evaluations(std::string_view, std::string_view plugin, TimedPoint point, uint64_t n) override {
    counts[std::string(plugin) + "/" + std::string(framework::LabelOf(point))] += n;
  }
  void CyclesWithoutHint(std::string_view, uint64_t n) override { without_hint += n; }
  void PreemptionAttempts(uint64_t n) override { preemption_attempts += n; }
};

Sink SinkOf(TestScheduler& rig) {
  Sink sink;
  for (const auto& profile : rig.simulation->engine().profiles().profiles) profile->times().Drain(sink);
  return sink;
}

TEST(Times, EachExtensionPointIsCountedOnceForEachCycle) {
  TestScheduler rig;
  rig.AddNodes({"n1", "n2"});
  for (int i = 0; i < 5; ++i) rig.AddPod("p" + std::to_string(i));
  rig.Run();
  Sink sink = SinkOf(rig);
  for (const char* point : {"PreEnqueue", "PreFilter", "Filter", "PreScore", "Score", "Reserve", "Permit",
                            "PreBindPreFlight", "PreBind", "Bind", "PostBind"}) {
    EXPECT_EQ(sink.counts[std::string(point) + "/Success"], 5u) << point;
  }
  EXPECT_EQ(sink.counts["PostFilter/Success"], 0u);
  EXPECT_EQ(sink.without_hint, 5u);
  EXPECT_EQ(sink.permit_waits, 0u);
}

TEST(Times, EvaluationsAreThePodsAndNodesThatAPluginJudged) {
  TestScheduler rig;
  ScriptOf("A").pre_score = [](Cycle&, const Pod&, sdk::Rows) { return Status::Skip(); };
  rig.AddNodes({"n1", "n2", "n3"});
  rig.AddPod("p1");
  rig.AddPod("p2");
  rig.Run();
  Sink sink = SinkOf(rig);
  EXPECT_EQ(sink.counts["A/PreFilter"], 2u);
  EXPECT_EQ(sink.counts["A/Filter"], 6u);
  ASSERT_TRUE(sink.counts.contains("A/PreScore"));
  EXPECT_EQ(sink.counts["A/PreScore"], 0u);
  EXPECT_EQ(sink.counts["A/Score"], 0u);
}

TEST(Times, EverySeriesOfEvaluationsExistsFromTheStart) {
  TestScheduler rig;
  const Sink sink = SinkOf(rig);
  for (const char* series : {"A/PreFilter", "A/Filter", "A/PreScore", "A/Score"}) {
    EXPECT_TRUE(sink.counts.contains(series)) << series;
  }
}

TEST(Times, ARejectionHasItsStatus) {
  TestScheduler rig;
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("no"));
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  Sink sink = SinkOf(rig);
  EXPECT_EQ(sink.counts["Filter/Success"], 1u);  // rejections of nodes are no failure of the point
  EXPECT_EQ(sink.counts["PostFilter/Unschedulable"], 1u);
  EXPECT_EQ(sink.counts["PreScore/Success"], 0u);
  EXPECT_EQ(sink.counts["Reserve/Success"], 0u);
}

TEST(Times, PluginsAreTimedInATenthOfTheCycles) {
  TestScheduler rig;
  rig.AddNodes({"n1"});
  constexpr uint64_t kPods = 100;  // a node holds 110
  for (uint64_t i = 0; i < kPods; ++i) rig.AddPod("p" + std::to_string(i));
  rig.Run();
  Sink sink = SinkOf(rig);
  const uint64_t timed = sink.counts["A/Filter/Success"];
  EXPECT_GT(timed, 0u);
  EXPECT_LT(timed, kPods / 3);
  for (const char* point : {"PreFilter", "Reserve", "Permit", "PreBindPreFlight", "PreBind", "Bind", "PostBind"}) {
    EXPECT_EQ(sink.counts[std::string("A/") + point + "/Success"], timed) << point;
  }
  EXPECT_EQ(sink.counts["Filter/Success"], kPods);
}

TEST(Times, AWaitOnPermitIsMeasured) {
  TestScheduler rig;
  ScriptOf("A").permit = [](Cycle&, const Pod&, Id, std::chrono::nanoseconds& wait) {
    wait = std::chrono::seconds(10);
    return Status::Wait();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  Sink sink = SinkOf(rig);
  EXPECT_GE(sink.permit_waits, 1u);
  EXPECT_EQ(sink.counts["Permit/Wait"], sink.permit_waits);
  EXPECT_EQ(sink.counts["Unreserve/Success"], sink.permit_waits);
}

}  // namespace
}  // namespace berth::fixture
