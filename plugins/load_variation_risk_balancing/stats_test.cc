// The measured use of a resource in its own unit, and as a share. The facts of pkg/trimaran/resourcestats_test.go.
#include "../trimaran_common/resource_stats.h"

#include <gtest/gtest.h>

#include <string>

namespace plugins::trimaran {
namespace {

Usage Use(double average, double deviation) {
  Usage usage;
  usage.Add("AVG", average);
  usage.Add("STD", deviation);
  return usage;
}

// TestCreateResourceStats, the cases test-cpu and test-memory. Its case test-missing is Usage::known: replies_test.cc.
TEST(ResourceStats, CpuIsInThousandths) {
  const ResourceStats stats = ResourceStats::OfCpu(Use(40, 36), 1000, 100);
  EXPECT_EQ(stats.capacity, 1000);
  EXPECT_EQ(stats.request, 100);
  EXPECT_EQ(stats.used, 400);
  EXPECT_EQ(stats.deviation, 360);
}
TEST(ResourceStats, MemoryIsInMiB) {
  const ResourceStats stats = ResourceStats::OfMemory(Use(20, 10), 1 << 30, 1 << 20);
  EXPECT_EQ(stats.capacity, 1024);
  EXPECT_EQ(stats.request, 1);
  EXPECT_EQ(stats.used, 204.8);
  EXPECT_EQ(stats.deviation, 102.4);
}

struct ShareCase {
  const char* name;
  ResourceStats stats;  // used, deviation, request, capacity
  double mu, sigma;
};

class ResourceShares : public testing::TestWithParam<ShareCase> {};

TEST_P(ResourceShares, Shares) {
  const MuSigma shares = GetParam().stats.Shares();
  EXPECT_EQ(shares.mu, GetParam().mu);
  EXPECT_EQ(shares.sigma, GetParam().sigma);
}

// TestGetMuSigma.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ResourceShares,
    testing::Values(ShareCase{.name = "Proper", .stats = {400, 360, 100, 1000}, .mu = 0.5, .sigma = 0.36},
                    ShareCase{.name = "Zero", .stats = {0, 0, 0, 0}, .mu = 0, .sigma = 0},
                    ShareCase{.name = "LargeUse", .stats = {1400, 300, 100, 1000}, .mu = 1, .sigma = 0.3},
                    ShareCase{.name = "LargeDeviation", .stats = {400, 1600, 100, 1000}, .mu = 0.5, .sigma = 1},
                    ShareCase{.name = "LargeBoth", .stats = {1400, 1600, 0, 1000}, .mu = 1, .sigma = 1},
                    ShareCase{.name = "NegativeUse", .stats = {-100, 200, 0, 1000}, .mu = 0, .sigma = 0.2},
                    ShareCase{.name = "NegativeDeviation", .stats = {0, -200, 400, 1000}, .mu = 0.4, .sigma = 0}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace plugins::trimaran
