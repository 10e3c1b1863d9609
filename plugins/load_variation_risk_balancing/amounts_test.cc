// What pods request and may use. The facts of pkg/trimaran/resourcestats_test.go.
#include "../trimaran_common/pod_amounts.h"

#include <gtest/gtest.h>
#include <berth/testing/fake_host.hpp>
#include <berth/testing/fake_pod.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plugins::trimaran {
namespace {

namespace fakes = berth::sdk::testing;

using Pair = std::pair<int64_t, int64_t>;  // cpu, memory

struct AmountsCase {
  const char* name;
  std::vector<Pair> requests;  // of containers
  std::optional<Pair> init;
  int64_t overhead_cpu;
  Amounts want;
};

fakes::Amounts Listed(const Pair& pair) { return {{"cpu", pair.first}, {"memory", pair.second}}; }

class PodAmountsOf : public testing::TestWithParam<AmountsCase> {
 protected:
  PodAmountsOf() : host_(fake_.raw()) {
    host_.Connect();
    amounts_.emplace(host_);
  }
  fakes::FakeHost fake_;
  berth::sdk::Host host_;
  std::optional<PodAmounts> amounts_;
};

// The same amounts are requests in one pod and limits in another.
TEST_P(PodAmountsOf, RequestsAndLimits) {
  fakes::FakePod requesting("p"), limited("p");
  for (const Pair& pair : GetParam().requests) {
    requesting.Req(Listed(pair), {{"cpu", 7}});
    limited.Req({{"cpu", 7}}, Listed(pair));
  }
  if (GetParam().init) {
    requesting.InitReq(Listed(*GetParam().init));
    limited.InitReq({}, Listed(*GetParam().init));
  }
  requesting.Overhead({{"cpu", GetParam().overhead_cpu}});
  limited.Overhead({{"cpu", GetParam().overhead_cpu}});
  EXPECT_EQ(amounts_->RequestsOf(requesting.Build()->raw()), GetParam().want);
  EXPECT_EQ(amounts_->LimitsOf(limited.Build()->raw()), GetParam().want);
}

constexpr int64_t kMega = 1 << 20;

// TestGetResourceRequested.
INSTANTIATE_TEST_SUITE_P(UpstreamRequests, PodAmountsOf,
                         testing::Values(AmountsCase{.name = "SmallInit",
                                                     .requests = {{1000, 2048}, {500, 1024}},
                                                     .init = Pair{100, 512},
                                                     .overhead_cpu = 10,
                                                     .want = {1510, 3072}},
                                         AmountsCase{.name = "LargeInit",
                                                     .requests = {{1000, 2048}, {500, 1024}},
                                                     .init = Pair{2000, 4096},
                                                     .overhead_cpu = 10,
                                                     .want = {2010, 4096}},
                                         AmountsCase{.name = "ZeroContainers",
                                                     .requests = {{0, 0}, {0, 200 * kMega}, {1000, 400 * kMega}},
                                                     .init = Pair{0, 0},
                                                     .overhead_cpu = 0,
                                                     .want = {1000, 600 * kMega}}),
                         [](const auto& info) { return std::string(info.param.name); });

// TestGetResourceLimits. Its second case gives too few limits, which changes nothing of the first.
INSTANTIATE_TEST_SUITE_P(UpstreamLimits, PodAmountsOf,
                         testing::Values(AmountsCase{.name = "LargeInit",
                                                     .requests = {{1000, 2048}, {500, 1024}},
                                                     .init = Pair{2000, 4096},
                                                     .overhead_cpu = 10,
                                                     .want = {2010, 4096}},
                                         AmountsCase{.name = "LargeContainers",
                                                     .requests = {{1000, 4096}, {2500, 2048}},
                                                     .init = Pair{2000, 4096},
                                                     .overhead_cpu = 10,
                                                     .want = {3510, 6144}},
                                         AmountsCase{.name = "WithoutOverhead",
                                                     .requests = {{0, 0}, {0, 2048}, {1000, 0}},
                                                     .init = Pair{2000, 4096},
                                                     .overhead_cpu = 0,
                                                     .want = {2000, 4096}}),
                         [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Own, PodAmountsOf,
    testing::Values(
        AmountsCase{.name = "Nothing", .requests = {}, .init = std::nullopt, .overhead_cpu = 0, .want = {}},
        AmountsCase{.name = "OverheadAlone", .requests = {}, .init = std::nullopt, .overhead_cpu = 5, .want = {5, 0}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_F(PodAmountsOf, HugeAmountsAreBounded) {
  constexpr int64_t kHuge = INT64_MAX;
  const fakes::Amounts all = {{"cpu", kHuge}, {"memory", kHuge}};
  const auto pod = fakes::FakePod("p").InitReq(all).Req({}, all).Req({}, all).Overhead(all).Build();
  constexpr Amounts kMost{kMostAmount, kMostAmount};
  EXPECT_EQ(amounts_->BoundsOf(pod->raw()), (Bounds{.requests = kMost, .limits = kMost}));
}

TEST_F(PodAmountsOf, SidecarsCountAsInitContainers) {
  const auto pod = fakes::FakePod("p").SidecarReq({{"cpu", 300}}).Req({{"cpu", 200}}).Build();
  EXPECT_EQ(amounts_->RequestsOf(pod->raw()), (Amounts{300, 0}));
}

TEST_F(PodAmountsOf, ThePodsOwnResourcesDoNotCount) {
  const auto pod = fakes::FakePod("p").PodRequests({{"cpu", 900}}).Req({{"cpu", 200}}).Build();
  EXPECT_EQ(amounts_->RequestsOf(pod->raw()), (Amounts{200, 0}));
}

TEST_F(PodAmountsOf, LimitsAreAtLeastTheRequests) {
  const auto pod = fakes::FakePod("p").Req({{"cpu", 200}, {"memory", 50}}, {{"cpu", 100}, {"memory", 70}}).Build();
  EXPECT_EQ(amounts_->BoundsOf(pod->raw()), (Bounds{.requests = {200, 50}, .limits = {200, 70}}));
}

}  // namespace
}  // namespace plugins::trimaran
