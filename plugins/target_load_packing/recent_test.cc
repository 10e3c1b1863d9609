// The pods that arrived recently. TestHandlerCacheCleanup of pkg/trimaran/handler_test.go, which reads the remaining
// pods; here their CPU shows which pods remain.
#include "recent_pods.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plugins::target_load_packing {
namespace {

constexpr int64_t kNow = 1'000'000;

struct CleanupCase {
  const char* name;
  std::vector<int64_t> ages;  // seconds; the i-th pod uses 10^i
  int64_t want;
};

class RecentPodsCleanup : public testing::TestWithParam<CleanupCase> {};

TEST_P(RecentPodsCleanup, Sweep) {
  RecentPods recent;
  int64_t milli = 1;
  for (const int64_t age : GetParam().ages) {
    recent.Add(0, std::to_string(milli), kNow - age, milli);
    milli *= 10;
  }
  recent.Sweep(0, kNow);
  EXPECT_EQ(recent.MissingOn(0), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(Upstream, RecentPodsCleanup,
                         testing::Values(CleanupCase{.name = "AfterAnUpdate", .ages = {300, 300, 300, 0}, .want = 1000},
                                         CleanupCase{
                                             .name = "KeepsNewPods", .ages = {300, 300, 300, 0, 0}, .want = 11000},
                                         CleanupCase{.name = "DropsOldPods", .ages = {300, 10, 5}, .want = 110}),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, RecentPodsCleanup,
                         testing::Values(CleanupCase{.name = "AMinuteIsOld", .ages = {60, 59}, .want = 10},
                                         CleanupCase{.name = "AllMayGo", .ages = {300, 61}, .want = 0},
                                         CleanupCase{.name = "InAnyOrder", .ages = {1, 300, 2}, .want = 101}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(RecentPods, CountsPodsThatCameLessThanAMinuteBeforeTheEnd) {
  RecentPods recent;
  recent.Add(1, "a", 100, 1);
  recent.Add(1, "b", 200, 10);
  recent.SetWindowEnd(1, 159);
  EXPECT_EQ(recent.MissingOn(1), 11);
  recent.SetWindowEnd(1, 160);
  EXPECT_EQ(recent.MissingOn(1), 10);
  recent.SetWindowEnd(1, 1000);
  EXPECT_EQ(recent.MissingOn(1), 0);
  recent.SetWindowEnd(1, 10);  // an older window
  EXPECT_EQ(recent.MissingOn(1), 11);
  EXPECT_EQ(recent.MissingOn(0), 0);
  EXPECT_EQ(recent.MissingOn(7), 0);
}

TEST(RecentPods, RowsHaveTheirOwnWindows) {
  RecentPods recent;
  recent.SetWindowEnd(1, 160);
  recent.Add(0, "a", 100, 1);
  recent.Add(1, "b", 100, 10);
  EXPECT_EQ(recent.MissingOn(0), 1);
  EXPECT_EQ(recent.MissingOn(1), 0);
}

TEST(RecentPods, SaysWhetherAPodWasOld) {
  RecentPods recent;
  recent.Add(0, "a", kNow - 60, 1);
  EXPECT_FALSE(recent.Sweep(0, kNow - 1));
  EXPECT_TRUE(recent.Sweep(0, kNow));
  EXPECT_FALSE(recent.Sweep(0, kNow));
  EXPECT_FALSE(recent.Sweep(9, kNow));
}

TEST(RecentPods, ForgetsPodsAndRows) {
  RecentPods recent;
  recent.Add(0, "a", 100, 1);
  recent.Add(0, "b", 100, 10);
  recent.Remove(0, "a");
  recent.Remove(0, "a");
  recent.Remove(9, "b");
  EXPECT_EQ(recent.MissingOn(0), 10);
  recent.Clear(0);
  recent.Clear(9);
  EXPECT_EQ(recent.MissingOn(0), 0);
}

}  // namespace
}  // namespace plugins::target_load_packing
