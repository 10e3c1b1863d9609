// Scores by the load that load-watcher reports.
#include "target_score.h"
#include "test_fixture.h"

#include <cstdlib>

namespace target_load_packing_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct ScoreCase {
  const char* name;
  FakePod pod;
  Loads loads;
  int64_t want;
};

class TargetLoadPackingScore : public testing::TestWithParam<ScoreCase> {};

TEST_P(TargetLoadPackingScore, OfOneNode) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  fixture.Answer(GetParam().loads);
  EXPECT_EQ(fixture.Score(GetParam().pod), (Scores{{"node-1", GetParam().want}}));
}

FakePod Empty() { return FakePod("p"); }
FakePod Container(const Amounts& requests, const Amounts& limits) { return FakePod("p").Req(requests, limits); }
Loads Cpu(double value, const char* op = "Latest") { return {{"node-1", {{"CPU", op, value}}}}; }

// TestTargetLoadPackingScoring of pkg/trimaran/targetloadpacking/targetloadpacking_test.go.
INSTANTIATE_TEST_SUITE_P(Upstream, TargetLoadPackingScore,
                         testing::Values(ScoreCase{.name = "NewNode", .pod = Empty(), .loads = Cpu(0), .want = 40},
                                         ScoreCase{.name = "HotNode", .pod = Empty(), .loads = Cpu(50), .want = 33},
                                         ScoreCase{.name = "ExcessUtilization",
                                                   .pod = Container({{"cpu", 1000}}, {{"cpu", 1000}}),
                                                   .loads = Cpu(30),
                                                   .want = 0},
                                         ScoreCase{
                                             .name = "NoAnswerOfWatcher", .pod = Empty(), .loads = {}, .want = 0}),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, TargetLoadPackingScore,
    testing::Values(
        ScoreCase{.name = "BelowTheTarget", .pod = Empty(), .loads = Cpu(20), .want = 70},
        ScoreCase{.name = "AtTheTarget", .pod = Empty(), .loads = Cpu(40), .want = 100},
        ScoreCase{.name = "AboveTheTarget", .pod = Empty(), .loads = Cpu(41), .want = 39},
        ScoreCase{.name = "Full", .pod = Empty(), .loads = Cpu(100), .want = 0},
        ScoreCase{.name = "LimitsCount", .pod = Container({{"cpu", 1}}, {{"cpu", 200}}), .loads = Cpu(0), .want = 70},
        ScoreCase{
            .name = "RequestsCountOneAndAHalf", .pod = Container({{"cpu", 200}}, {}), .loads = Cpu(0), .want = 85},
        ScoreCase{.name = "OtherwiseOneCpu", .pod = Container({}, {{"memory", 5}}), .loads = Cpu(0), .want = 0},
        ScoreCase{.name = "ContainersAddUp",
                  .pod = FakePod("p").Req({}, {{"cpu", 100}}).Req({}, {{"cpu", 100}}).Overhead({{"cpu", 100}}),
                  .loads = Cpu(0),
                  .want = 85},
        ScoreCase{.name = "InitContainersDoNotCount",
                  .pod = FakePod("p").InitReq({{"cpu", 900}}).SidecarReq({{"cpu", 900}}).Req({}, {{"cpu", 100}}),
                  .loads = Cpu(0),
                  .want = 55},
        ScoreCase{.name = "TheLastMetricCounts",
                  .pod = Empty(),
                  .loads = {{"node-1",
                             {{"CPU", "AVG", 10}, {"CPU", "STD", 99}, {"CPU", "Latest", 20}, {"Memory", "AVG", 90}}}},
                  .want = 70},
        ScoreCase{.name = "DeviationAloneIsNoLoad", .pod = Empty(), .loads = Cpu(20, "STD"), .want = 0},
        ScoreCase{
            .name = "MemoryAloneIsNoLoad", .pod = Empty(), .loads = {{"node-1", {{"Memory", "AVG", 20}}}}, .want = 0},
        ScoreCase{.name = "AnotherNodesLoad", .pod = Empty(), .loads = {{"node-2", {{"CPU", "AVG", 20}}}}, .want = 0}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(TargetLoadPacking, ANodeWithoutCapacityCountsAsIdle) {
  Fixture fixture;
  fixture.plugin.cluster().Add(FakeNode("node-1"));
  fixture.Start();
  fixture.Answer(Cpu(90));
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 40}}));
  fixture.plugin.Put("v1/nodes", NodeWithCapacity("node-1", 1000));
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 7}}));
  fixture.plugin.Delete("v1/nodes", "node-1");
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 40}}));
}

TEST(TargetLoadPacking, ACapacityMayBeANumber) {
  Fixture fixture;
  fixture.plugin.cluster().Add(FakeNode("node-1"));
  fixture.Start();
  fixture.Answer(Cpu(20));
  const FakePod pod = Container({}, {{"cpu", 100}});
  fixture.plugin.Put("v1/nodes", FakeObject("node-1").Status(R"({"capacity":{"cpu":0.5}})"));
  EXPECT_EQ(fixture.Score(pod), (Scores{{"node-1", 100}}));  // 40 %
  fixture.plugin.Put("v1/nodes", FakeObject("node-1").Status(R"({"capacity":{"cpu":9223372036854775807}})"));
  EXPECT_EQ(fixture.Score(pod), (Scores{{"node-1", 70}}));
}

TEST(TargetLoadPacking, UsesItsArgs) {
  Fixture fixture(FakeValue::Object({{"targetUtilization", 70},
                                     {"defaultRequests", FakeValue::Object({{"cpu", "350m"}})},
                                     {"defaultRequestsMultiplier", "4.25"}}));
  fixture.Node("node-1");
  fixture.Start();
  fixture.Answer(Cpu(0));
  EXPECT_EQ(fixture.Score(Container({}, {})), (Scores{{"node-1", 85}}));              // 35 %
  EXPECT_EQ(fixture.Score(Container({{"cpu", 200}}, {})), (Scores{{"node-1", 35}}));  // 85 %
}

TEST(TargetLoadPacking, ATargetOfAHundredPercentIsValid) {
  Fixture fixture(FakeValue::Object({{"targetUtilization", 100}}));
  fixture.Node("node-1");
  fixture.Start();
  fixture.Answer(Cpu(75));  // (100 - 100) * 75 / 100 + 100
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 100}}));
}

TEST(TargetLoadPacking, AsksAgainEveryThirtySeconds) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  const std::string line = std::string("GET ") + kWatcher + "/watcher";
  EXPECT_THAT(fixture.plugin.host().api().Lines(), ElementsAre(line));
  fixture.Wait(std::chrono::seconds(30));  // the first one is still open
  EXPECT_THAT(fixture.plugin.host().api().Lines(), ElementsAre(line));
  fixture.Answer(Cpu(20));
  fixture.Wait(std::chrono::seconds(29));
  EXPECT_THAT(fixture.plugin.host().api().Lines(), ElementsAre(line));
  fixture.Wait(std::chrono::seconds(1));
  EXPECT_THAT(fixture.plugin.host().api().Lines(), ElementsAre(line, line));
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
  fixture.Answer(Cpu(40));
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 100}}));
}

// The host keeps scores until the plugin says that a row has changed. The fake host leaves row 1 empty.
TEST(TargetLoadPacking, ReportsTheRowsWhoseLoadChanged) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Node("node-2");
  fixture.Start();
  const auto& rows = fixture.plugin.host().changed_rows();
  size_t before = rows.size();
  fixture.Answer(Cpu(20), kStart - 1);
  EXPECT_THAT(std::vector(rows.begin() + static_cast<ptrdiff_t>(before), rows.end()), UnorderedElementsAre(0u, 2u));
  before = rows.size();
  fixture.plugin.PodAdded(FakePod("first").Req({}, {{"cpu", 200}}), 2);
  EXPECT_THAT(std::vector(rows.begin() + static_cast<ptrdiff_t>(before), rows.end()), ElementsAre(2u));
}

TEST(TargetLoadPacking, KeepsWhatItKnowsIfAFetchFails) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  fixture.Answer(Cpu(20));
  for (const FakeReply& bad : {FakeReply::Lost("connection refused"), FakeReply{500, ""}, FakeReply{200, "no JSON"},
                               FakeReply{200, R"({"data":{}})"}}) {
    fixture.Wait(std::chrono::seconds(30));
    fixture.Answer(bad);
    EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
  }
}

TEST(TargetLoadPacking, LogsAFailureOnce) {
  Fixture fixture;
  fixture.Start();
  for (int i = 0; i < 3; ++i) {
    fixture.Answer(FakeReply::Lost("connection refused"));
    fixture.Wait(std::chrono::seconds(30));
  }
  ASSERT_EQ(fixture.plugin.host().Log().size(), 1u);
  EXPECT_THAT(fixture.plugin.host().Log()[0].fields,
              ElementsAre(testing::Pair("source", kWatcher), testing::Pair("err", "connection refused")));
  fixture.Answer(Cpu(20));
  EXPECT_EQ(fixture.plugin.host().Log().size(), 2u);
}

// A server can send one byte after the other for ever.
TEST(TargetLoadPacking, AsksAgainIfAnAnswerDoesNotEnd) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  FakeApi& api = fixture.plugin.host().api();
  fixture.Wait(std::chrono::seconds(89));  // it skips two rounds
  EXPECT_EQ(api.requests().size(), 1u);
  EXPECT_THAT(fixture.plugin.host().Log(), IsEmpty());
  fixture.Wait(std::chrono::seconds(1));
  EXPECT_EQ(api.requests().size(), 2u);
  ASSERT_EQ(fixture.plugin.host().Log().size(), 1u);
  EXPECT_THAT(fixture.plugin.host().Log()[0].fields,
              ElementsAre(testing::Pair("source", kWatcher), testing::Pair("err", "no complete answer")));
  fixture.Answer(Cpu(20));
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
}

TEST(TargetLoadPacking, IgnoresALateAnswer) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  FakeApi& api = fixture.plugin.host().api();
  fixture.Wait(std::chrono::seconds(90));
  api.Answer(0, FakeReply{200, WatcherText(Cpu(40))});
  fixture.Wait(std::chrono::seconds(30));  // the second one is still open
  EXPECT_EQ(api.requests().size(), 2u);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 0}}));
  fixture.Answer(Cpu(20));
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
  fixture.Wait(std::chrono::seconds(30));
  EXPECT_EQ(api.requests().size(), 3u);
}

TEST(TargetLoadPacking, KnowsANodeThatComesAfterTheMetrics) {
  Fixture fixture;
  fixture.Start();
  fixture.Answer(Cpu(20));
  fixture.Node("node-1");
  fixture.plugin.NodeAdded(FakeNode("node-1"), 0);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
  fixture.plugin.NodeRemoved(FakeNode("node-1"), 0);
  fixture.plugin.NodeAdded(FakeNode("node-2"), 0);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 0}}));
}

TEST(TargetLoadPacking, AddsThePodsThatTheMetricsDoNotShow) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  fixture.Answer(Cpu(20), kStart - 1);
  const FakePod first = FakePod("first").Req({}, {{"cpu", 200}});
  fixture.plugin.PodAdded(first, 0);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 100}}));
  fixture.plugin.PodRemoved(first, 0);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
}

TEST(TargetLoadPacking, AMinuteLaterTheMetricsShowThePod) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  fixture.plugin.PodAdded(FakePod("first").Req({}, {{"cpu", 200}}), 0);
  fixture.Answer(Cpu(20), kStart + 59);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 100}}));
  fixture.Wait(std::chrono::seconds(30));
  fixture.Answer(Cpu(20), kStart + 60);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
}

TEST(TargetLoadPacking, HugeAmountsFillTheNode) {
  const FakePod limited = FakePod("a").Req({}, {{"cpu", INT64_MAX}}).Req({}, {{"cpu", INT64_MAX}});
  const FakePod requesting = FakePod("b").Req({{"cpu", INT64_MAX}}, {}).Req({{"cpu", INT64_MAX}}, {});
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  fixture.Answer(Cpu(20), kStart);
  for (const FakePod& huge : {limited, requesting}) {
    EXPECT_EQ(fixture.Score(huge), (Scores{{"node-1", 0}}));
    fixture.plugin.PodAdded(huge, 0);
    EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 0}}));
  }
  fixture.plugin.PodRemoved(limited, 0);
  fixture.plugin.PodRemoved(requesting, 0);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
}

TEST(TargetLoadPacking, ANegativeMultiplierLowersTheUse) {
  Fixture fixture(FakeValue::Object({{"defaultRequestsMultiplier", "-1"}}));
  fixture.Node("node-1");
  fixture.Start();
  fixture.Answer(Cpu(30));
  EXPECT_EQ(fixture.Score(Container({{"cpu", 100}}, {})), (Scores{{"node-1", 70}}));  // 20 %
}

// In the original it counts as new when the scheduler starts.
TEST(TargetLoadPacking, APodThatGotItsNodeLongAgoIsInTheMetrics) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.plugin.cluster().Add(FakePod("old").Req({}, {{"cpu", 200}}).ScheduledAt((kStart - 100) * 1'000'000'000),
                               "node-1");
  fixture.Start();
  fixture.Answer(Cpu(20), kStart);
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
}

TEST(TargetLoadPacking, ForgetsPodsEveryFiveMinutes) {
  Fixture fixture;
  fixture.Node("node-1");
  fixture.Start();
  fixture.Answer(Cpu(20));  // a window without an end: every known pod is missing in it
  fixture.plugin.PodAdded(FakePod("first").Req({}, {{"cpu", 200}}), 0);
  fixture.Wait(std::chrono::seconds(299));
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 100}}));
  fixture.Wait(std::chrono::seconds(1));
  EXPECT_EQ(fixture.Score(Empty()), (Scores{{"node-1", 70}}));
}

// Against a computation in whole numbers, in which a half is no matter of rounding.
TEST(TargetLoadPacking, FollowsTheFormulaEverywhere) {
  using plugins::target_load_packing::TargetScore;
  const auto score = [](int64_t percent, int64_t target) {
    return TargetScore(static_cast<double>(percent), static_cast<double>(target));
  };
  for (int64_t target = 1; target <= 100; ++target) {
    for (int64_t percent = 0; percent <= 100; ++percent) {
      const bool below = percent <= target;
      const int64_t part = below ? (100 - target) * percent + target * target : target * (100 - percent);
      const int64_t whole = below ? target : 100 - target;
      const int64_t twice_off = 2 * (score(percent, target) * whole - part);  // of a unit: at most one whole
      ASSERT_LE(std::abs(twice_off), whole) << percent << " of " << target;
      ASSERT_LE(score(percent, target), 100);
    }
    ASSERT_EQ(score(101, target), 0);
  }
}

}  // namespace
}  // namespace target_load_packing_test
