// What Filter and the host keep until a row changes.
#include "filter_memo.h"
#include "test_fixture.h"

namespace plugins::node_topology {
namespace {

using testing::SizeIs;

// How often the result of row 3 is computed.
class MemoTest : public testing::Test {
 protected:
  Misfit Ask(uint32_t resources, uint32_t version, Misfit result = Misfit::kNone) {
    memo_.Begin(resources, 5);
    return memo_.Find(resources)->Of(3, version, [&] { return ++computed_, result; });
  }

  FilterMemo memo_;
  int computed_ = 0;
};

TEST_F(MemoTest, ComputesAgainWhenTheRowChanges) {
  EXPECT_EQ(Ask(7, 1, Misfit::kPod), Misfit::kPod);
  EXPECT_EQ(Ask(7, 1), Misfit::kPod);
  EXPECT_EQ(computed_, 1);
  EXPECT_EQ(Ask(7, 2), Misfit::kNone);
  EXPECT_EQ(computed_, 2);
}

TEST_F(MemoTest, KeepsTheResultsOfFourKindsOfPods) {
  for (uint32_t resources = 1; resources <= 4; ++resources) Ask(resources, 1, Misfit::kPod);
  for (uint32_t resources = 1; resources <= 4; ++resources) EXPECT_EQ(Ask(resources, 1), Misfit::kPod);
  EXPECT_EQ(computed_, 4);
  Ask(5, 1);
  EXPECT_EQ(memo_.Find(1), nullptr);
  EXPECT_EQ(Ask(1, 1), Misfit::kNone);
  EXPECT_EQ(computed_, 6);
}

TEST_F(MemoTest, HasNothingForUnknownResourcesAndComputesForOtherRows) {
  EXPECT_EQ(memo_.Find(0), nullptr);
  EXPECT_EQ(memo_.Find(7), nullptr);
  memo_.Begin(7, 2);
  for (int i = 0; i < 2; ++i) memo_.Find(7)->Of(2, 1, [this] { return ++computed_, Misfit::kNone; });
  EXPECT_EQ(computed_, 2);
}

TestNode Node(const char* cpu) { return {"node1", kContainerSingle, {{"node-0", {{kCpu, cpu}, {kMemory, "8Gi"}}}}}; }
FakePod PodOfTwoCpus() { return Limited({{{kCpu, 2000}, {kMemory, kGi}}}); }

TEST(FilterMemoPlugin, FollowsReports) {
  Fixture fixture({Node("4")});
  EXPECT_EQ(fixture.Filter(PodOfTwoCpus(), "node1"), Outcome{});
  fixture.Report(Node("1"));
  EXPECT_EQ(fixture.Filter(PodOfTwoCpus(), "node1"), Refused(kNoContainer));
  fixture.Report(Node("2"));
  EXPECT_EQ(fixture.Filter(PodOfTwoCpus(), "node1"), Outcome{});
}

TEST(FilterMemoPlugin, FollowsWhatTheNodeHas) {
  Fixture fixture({Node("4")});
  const FakePod pod = Limited({{{kCpu, 1000}, {kMemory, kGi}, {kNic, 1}}});
  EXPECT_EQ(fixture.Filter(pod, "node1"), Refused(kNoContainer));
  const FakeNode now = FakeNode("node1").Allocatable({{kCpu, 4000}, {kMemory, 8 * kGi}, {kNic, 1}});
  fixture.plugin.cluster() = FakeCluster().Add(now);
  fixture.plugin.NodeChanged(now, 0);
  EXPECT_EQ(fixture.Filter(pod, "node1"), Outcome{});
}

// The host keeps scores of a row until the plugin reports a change.
TEST(KeptScores, EndWithEachChangeOfTheRow) {
  Fixture fixture({Node("4")});
  const auto& changed = fixture.plugin.host().changed_rows();
  const size_t before = changed.size();
  fixture.Filter(PodOfTwoCpus(), "node1");
  fixture.Filter(Limited({{{kCpu, 9000}, {kMemory, kGi}}}), "node1");
  EXPECT_THAT(changed, SizeIs(before));
  fixture.Report(Node("3"));
  EXPECT_GT(changed.size(), before);
  EXPECT_EQ(changed.back(), 0u);
}

TEST(KeptScores, EndWhenAPodTakesFromTheZones) {
  Fixture fixture({Node("4")}, FakeValue::Object({{"cacheResyncPeriodSeconds", 5}}));
  const auto& changed = fixture.plugin.host().changed_rows();
  size_t before = changed.size();
  const auto attempt = fixture.plugin.Try(PodOfTwoCpus());
  attempt->Reserve("node1");
  EXPECT_GT(changed.size(), before);
  before = changed.size();
  attempt->Unreserve("node1");
  fixture.plugin.host().tasks().Advance();
  EXPECT_GT(changed.size(), before);
}

}  // namespace
}  // namespace plugins::node_topology
