#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

constexpr int64_t kEarlier = 1'000'000'000, kLater = 2'000'000'000;

Amounts Amount(int64_t n) { return {{"cpu", 100 * n}, {"memory", n * (100 << 20)}}; }
FakePod WithPriority(int32_t priority) { return FakePod("p").Priority(priority); }
FakePod BestEffort() { return FakePod("best-effort").Req({}); }
FakePod Burstable() { return FakePod("burstable").Req(Amount(1), Amount(2)); }
FakePod Guaranteed() { return FakePod("guaranteed").Req(Amount(1), Amount(1)); }

struct LessCase {
  const char* name;
  FakeQueued a, b;
  bool want;
};

class QosSortTest : public testing::TestWithParam<LessCase> {};

TEST_P(QosSortTest, Less) {
  PluginUnderTest plugin(berth_entry_v1, "QOSSort");
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Less(GetParam().a, GetParam().b), GetParam().want);
  if (GetParam().want) {
    EXPECT_FALSE(plugin.Less(GetParam().b, GetParam().a));
  }
  EXPECT_THAT(plugin.Violations(), testing::IsEmpty());
}

// TestSortLess of pkg/qos/queue_sort_test.go, all cases. (The last one occurs twice there.)
INSTANTIATE_TEST_SUITE_P(
    Upstream, QosSortTest,
    testing::Values(
        LessCase{.name = "HigherPriority", .a = {WithPriority(100)}, .b = {WithPriority(50)}, .want = true},
        LessCase{.name = "LowerPriority", .a = {WithPriority(50)}, .b = {WithPriority(80)}, .want = false},
        LessCase{
            .name = "BothBestEffortLater", .a = {BestEffort(), kLater}, .b = {BestEffort(), kEarlier}, .want = false},
        LessCase{.name = "BestEffortAndGuaranteed", .a = {BestEffort()}, .b = {Guaranteed()}, .want = false},
        LessCase{.name = "BurstableAndGuaranteed", .a = {Burstable()}, .b = {Guaranteed()}, .want = false},
        LessCase{.name = "BothBurstableLater", .a = {Burstable(), kLater}, .b = {Burstable(), kEarlier}, .want = false},
        LessCase{.name = "GuaranteedAndBurstable", .a = {Guaranteed()}, .b = {Burstable()}, .want = true},
        LessCase{
            .name = "BothGuaranteedEarlier", .a = {Guaranteed(), kEarlier}, .b = {Guaranteed(), kLater}, .want = true},
        LessCase{.name = "BothGuaranteedEarlierAgain",
                 .a = {Guaranteed(), kEarlier},
                 .b = {Guaranteed(), kLater},
                 .want = true}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, QosSortTest,
    testing::Values(
        LessCase{.name = "PriorityBeforeQos",
                 .a = {BestEffort().Priority(1), kLater},
                 .b = {Guaranteed().Priority(0), kEarlier},
                 .want = true},
        LessCase{.name = "QosBeforeTime", .a = {Burstable(), kLater}, .b = {BestEffort(), kEarlier}, .want = true},
        LessCase{.name = "EqualsAreNotLess", .a = {Burstable(), kLater}, .b = {Burstable(), kLater}, .want = false},
        LessCase{.name = "AbsentPriorityIsZero", .a = {BestEffort()}, .b = {WithPriority(-1)}, .want = true}),
    [](const auto& info) { return std::string(info.param.name); });

enum Class { kBestEffort, kBurstable, kGuaranteed };

struct ClassCase {
  const char* name;
  FakePod pod;
  Class want;
};

class QosClassTest : public testing::TestWithParam<ClassCase> {};

// The class shows in the order beside pods of known classes that were queued at the same time.
TEST_P(QosClassTest, Of) {
  PluginUnderTest plugin(berth_entry_v1, "QOSSort");
  ASSERT_TRUE(plugin.Start().ok());
  const auto before = [&](const FakePod& other) { return plugin.Less({GetParam().pod}, {other}); };
  const auto after = [&](const FakePod& other) { return plugin.Less({other}, {GetParam().pod}); };
  EXPECT_EQ(before(BestEffort()), GetParam().want > kBestEffort);
  EXPECT_EQ(before(Burstable()), GetParam().want > kBurstable);
  EXPECT_FALSE(before(Guaranteed()));
  EXPECT_FALSE(after(BestEffort()));
  EXPECT_EQ(after(Burstable()), GetParam().want < kBurstable);
  EXPECT_EQ(after(Guaranteed()), GetParam().want < kGuaranteed);
}

INSTANTIATE_TEST_SUITE_P(
    Own, QosClassTest,
    testing::Values(
        ClassCase{.name = "NoContainers", .pod = FakePod("p"), .want = kBestEffort},
        ClassCase{.name = "ZeroAmounts", .pod = FakePod("p").Req({{"cpu", 0}}, {{"memory", 0}}), .want = kBestEffort},
        ClassCase{.name = "OtherResources",
                  .pod = FakePod("p").Req({{"example.com/gpu", 1}}, {{"example.com/gpu", 1}}),
                  .want = kBestEffort},
        ClassCase{.name = "RequestsOnly", .pod = FakePod("p").Req(Amount(1)), .want = kBurstable},
        ClassCase{.name = "LimitsOnly", .pod = FakePod("p").Req({}, Amount(1)), .want = kBurstable},
        ClassCase{.name = "CpuOnly", .pod = FakePod("p").Req({{"cpu", 1}}, {{"cpu", 1}}), .want = kBurstable},
        ClassCase{.name = "ALimitOfZeroIsNone",
                  .pod = FakePod("p").Req({{"memory", 1}}, {{"cpu", 0}, {"memory", 1}}),
                  .want = kBurstable},
        ClassCase{.name = "OneOfTwoContainers", .pod = Guaranteed().Req({}), .want = kBurstable},
        ClassCase{.name = "TwoContainers", .pod = Guaranteed().Req(Amount(2), Amount(2)), .want = kGuaranteed},
        // Upstream compares the sums.
        ClassCase{.name = "SumsAreEqual",
                  .pod = FakePod("p").Req(Amount(1), Amount(2)).Req(Amount(2), Amount(1)),
                  .want = kGuaranteed},
        ClassCase{.name = "InitContainersCount", .pod = Guaranteed().InitReq(Amount(1)), .want = kBurstable},
        ClassCase{.name = "SidecarsCount", .pod = Guaranteed().SidecarReq(Amount(1), Amount(2)), .want = kBurstable},
        ClassCase{
            .name = "PodLevelGuaranteed", .pod = Burstable().PodRequests(Amount(1), Amount(1)), .want = kGuaranteed},
        ClassCase{
            .name = "PodLevelBurstable", .pod = Guaranteed().PodRequests(Amount(1), Amount(2)), .want = kBurstable},
        ClassCase{.name = "PodLevelLimitOfCpuOnly",
                  .pod = FakePod("p").PodRequests({{"cpu", 1}}, {{"cpu", 1}}),
                  .want = kBurstable},
        ClassCase{.name = "PodLevelRequestsOnly", .pod = Guaranteed().PodRequests(Amount(1)), .want = kBurstable}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
