// LeastNUMANodes by parts: facts of pkg/noderesourcetopology/{least_numa,numaresources,pluginhelpers}_test.go.
#include "distances.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "least_zones.h"
#include "node_scores.h"
#include "zones_fixture.h"

namespace plugins::node_topology {
namespace {

// A zone with cpus (-1: not listed), memory in Gi, and GPUs, and its costs to other zones by their ids.
Zone ZoneOf(uint32_t id, int64_t cpus, int64_t memory, int64_t gpus,
            std::vector<std::pair<uint32_t, uint32_t>> costs = {}) {
  Zone zone{.id = id, .available = {}, .costs = std::move(costs)};
  if (cpus >= 0) zone.available.emplace_back(kCpu, cpus * 1000);
  if (memory >= 0) zone.available.emplace_back(kMemory, memory * kGi);
  if (gpus >= 0) zone.available.emplace_back(kGpu, gpus);
  return zone;
}

struct RequiredCase {
  const char* name;
  std::vector<Zone> zones;  // by ascending id, as the reader sorts them
  Amounts asks;
  std::set<uint32_t> want;  // ids; none: nothing fits
  bool nearest = true;
};

std::set<uint32_t> IdsOf(uint64_t set, const std::vector<Zone>& zones) {
  std::set<uint32_t> ids;
  for (; set != 0; set &= set - 1) ids.insert(zones[static_cast<size_t>(std::countr_zero(set))].id);
  return ids;
}

class ZonesRequired : public testing::TestWithParam<RequiredCase> {};

TEST_P(ZonesRequired, Of) {
  const RequiredCase& test = GetParam();
  OneRow row(test.zones, Limited({test.asks}));
  const auto found = LeastZones(*row.zones).Find(row.demand->pod(), row.board->Far(0));
  EXPECT_EQ(found ? IdsOf(found->zones, test.zones) : std::set<uint32_t>(), test.want);
  EXPECT_TRUE(!found || found->nearest == test.nearest);
}

Amounts Asks(int64_t cpus, int64_t gpus) {
  Amounts all = {{kCpu, cpus * 1000}, {kMemory, 2 * kGi}};
  if (gpus > 0) all.emplace_back(kGpu, gpus);
  return all;
}

// Four zones in two pairs; -1 of memory: the zone does not list it.
std::vector<Zone> Pairs(const std::vector<uint32_t>& ids, const std::vector<int64_t>& gpus,
                        const std::vector<int64_t>& memory = {5, 5, 5, 5}) {
  constexpr uint32_t kCosts[4][4] = {{10, 12, 20, 20}, {12, 10, 20, 20}, {20, 20, 10, 12}, {20, 20, 12, 10}};
  std::vector<Zone> zones;
  for (size_t i = 0; i < 4; ++i) {
    Zone zone = ZoneOf(ids[i], 4, memory[i], gpus[i]);
    for (size_t j = 0; j < 4; ++j) zone.costs.emplace_back(ids[j], kCosts[i][j]);
    zones.push_back(zone);
  }
  return zones;
}

// Eight zones with one GPU each; those in `bare` list no memory.
std::vector<Zone> Eight(const std::set<uint32_t>& bare) {
  constexpr uint32_t kCosts[8][8] = {{10, 20, 40, 30, 20, 30, 50, 40}, {20, 10, 30, 40, 50, 20, 40, 50},
                                     {40, 30, 10, 20, 40, 50, 20, 30}, {30, 40, 20, 10, 30, 20, 40, 50},
                                     {20, 50, 40, 30, 10, 50, 30, 20}, {30, 20, 50, 20, 50, 10, 50, 40},
                                     {50, 40, 20, 40, 30, 50, 10, 30}, {40, 50, 30, 50, 20, 40, 30, 10}};
  std::vector<Zone> zones;
  for (uint32_t id = 0; id < 8; ++id) {
    zones.push_back(ZoneOf(id, 4, bare.contains(id) ? -1 : 5, 1));
    for (uint32_t to = 0; to < 8; ++to) zones.back().costs.emplace_back(to, kCosts[id][to]);
  }
  return zones;
}

// TestNUMANodesRequired. Upstream lists the eight zones in another order, with the same result.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ZonesRequired,
    testing::Values(RequiredCase{.name = "OneZone", .zones = {ZoneOf(0, 8, 10, -1)}, .asks = Asks(2, 0), .want = {0}},
                    RequiredCase{.name = "TwoZones",
                                 .zones = {ZoneOf(0, 8, 10, -1), ZoneOf(1, 8, 10, -1)},
                                 .asks = Asks(12, 0),
                                 .want = {0, 1}},
                    RequiredCase{.name = "NotEnough",
                                 .zones = {ZoneOf(0, 8, 10, -1), ZoneOf(1, 8, 10, -1)},
                                 .asks = Asks(22, 0),
                                 .want = {}},
                    RequiredCase{.name = "NearZones",
                                 .zones = Pairs({0, 1, 2, 3}, {1, 1, 0, 0}),
                                 .asks = Asks(2, 2),
                                 .want = {0, 1}},
                    RequiredCase{.name = "FarZones",
                                 .zones = Pairs({0, 1, 2, 3}, {1, 0, 1, 0}),
                                 .asks = Asks(2, 2),
                                 .want = {0, 2},
                                 .nearest = false},
                    RequiredCase{.name = "NearestOfEight", .zones = Eight({}), .asks = Asks(3, 3), .want = {0, 1, 5}},
                    RequiredCase{.name = "NearestWithMemory",
                                 .zones = Eight({1, 3, 5, 7}),
                                 .asks = Asks(3, 3),
                                 .want = {2, 4, 6},
                                 .nearest = false},
                    RequiredCase{.name = "NearZonesWithGaps",
                                 .zones = Pairs({0, 2, 4, 6}, {1, 1, 0, 0}),
                                 .asks = Asks(2, 2),
                                 .want = {0, 2}},
                    RequiredCase{.name = "FarZonesWithGaps",
                                 .zones = Pairs({0, 2, 4, 6}, {1, 0, 0, 1}),
                                 .asks = Asks(2, 2),
                                 .want = {0, 6},
                                 .nearest = false},
                    RequiredCase{.name = "FarZonesWithMemory",
                                 .zones = Pairs({0, 2, 4, 6}, {1, 1, 1, 1}, {5, -1, 5, -1}),
                                 .asks = Asks(2, 2),
                                 .want = {0, 4},
                                 .nearest = false}),
    [](const auto& info) { return std::string(info.param.name); });

// TestNormalizeScore.
TEST(LeastZonesParts, ScoreOfCount) {
  const struct {
    int64_t zones;
    bool nearest;
    int64_t want;
  } cases[] = {{1, false, 88}, {2, false, 76}, {8, false, 4}, {1, true, 94}, {2, true, 82}, {8, true, 10}};
  for (const auto& test : cases) EXPECT_EQ(ScoreOfCount(test.zones, test.nearest, 8), test.want) << test.zones;
}

// TestMinDistance: the sums of upstream's averages 10, 11, and 14.888889 of one, two, and three zones.
TEST(LeastZonesParts, LeastSums) {
  const std::vector<Zone> zones = Pairs({0, 1, 2, 3}, {1, 1, 1, 1});
  const Distances far(CostsOf(zones), 4);
  EXPECT_EQ(far.Least(1), 10u);
  EXPECT_EQ(far.Least(2), 11u * 4);
  EXPECT_EQ(far.Least(3), 134u);  // 134 / 9
  std::vector<Zone> unknown = zones;
  for (Zone& zone : unknown) zone.costs.clear();
  EXPECT_EQ(Distances(CostsOf(unknown), 4).Least(2), 255u * 4);
}

// TestSubstractNUMA.
TEST(LeastZonesParts, Drain) {
  OneRow one({ZoneOf(0, 8, 10, -1)}, Limited({Asks(2, 0)}));
  LeastZones(*one.zones).Drain(one.demand->pod(), 1);
  EXPECT_EQ(one.zones->Cells(0)[0], 6000);
  EXPECT_EQ(one.zones->Cells(1)[0], 8 * kGi);
  OneRow two({ZoneOf(0, 8, 10, -1), ZoneOf(1, 8, 10, -1)}, Limited({Asks(12, 0)}));
  LeastZones(*two.zones).Drain(two.demand->pod(), 3);
  EXPECT_EQ(two.zones->Cells(0)[0], 0);
  EXPECT_EQ(two.zones->Cells(0)[1], 4000);
  EXPECT_EQ(two.zones->Cells(1)[0], 8 * kGi);
  EXPECT_EQ(two.zones->Cells(1)[1], 10 * kGi);
}

// TestOnlyNonNUMAResources.
TEST(LeastZonesParts, TouchesNone) {
  const std::vector<Zone> zones = {
      {.id = 0, .available = {{kCpu, 8000}, {kMemory, 10 * kGi}, {kGpu, 1}}, .costs = {}},
      {.id = 1, .available = {{kCpu, 8000}, {kMemory, 10 * kGi}, {"nic", 1}}, .costs = {}}};
  const struct {
    Amounts asks;
    bool want;
  } cases[] = {{{{"resource1", 1}, {"resource2", 1}}, true},
               {{{kCpu, 1}}, false},
               {{{kCpu, 1}, {kMemory, 1}}, false},
               {{{kGpu, 1}}, false},
               {{{"nic", 1}}, false},
               {{{"nic", 1}, {kGpu, 1}}, false}};
  for (const auto& test : cases) {
    OneRow row(zones, Limited({test.asks}));
    EXPECT_EQ(LeastZones(*row.zones).TouchesNone(row.demand->pod()), test.want) << test.asks.front().first;
  }
}

// TestIsHostLevelResource and TestIsNUMAAffineResource.
TEST(LeastZonesParts, KindsOfResources) {
  const struct {
    const char* name;
    bool host_level, shareable;
  } cases[] = {{kCpu, false, true},
               {kMemory, false, true},
               {"hugepages-1Gi", false, true},
               {"storage", true, false},
               {"ephemeral-storage", true, false},
               {"vendor.io/fastest-nic", true, false},
               {"awesome.com/gpu-for-ai", true, false}};
  for (const auto& test : cases) {
    OneRow row({}, FakePod("pod").Req({{test.name, 1}}), QosClass::kBurstable);
    EXPECT_EQ(row.demand->resources()[0].host_level, test.host_level) << test.name;
    EXPECT_EQ(row.demand->resources()[0].soft, test.shareable) << test.name;
  }
}

TEST(LeastZonesOwn, OfManyZonesSmallSetsAreTried) {
  std::vector<Zone> zones;
  for (uint32_t id = 0; id < 20; ++id) zones.push_back(ZoneOf(id, 2, 5, -1, {{id, 10}}));
  const auto find = [&zones](int64_t cpus) {
    OneRow row(zones, Limited({Asks(cpus, 0)}));
    return LeastZones(*row.zones).Find(row.demand->pod(), row.board->Far(0));
  };
  EXPECT_EQ(find(2)->zones, 1u);
  EXPECT_TRUE(find(2)->nearest);
  EXPECT_EQ(find(6)->zones, 7u);
  EXPECT_TRUE(find(6)->nearest);
  EXPECT_FALSE(find(8).has_value());
}

TEST(LeastZonesOwn, EqualCostsShareATable) {
  DistanceTables tables;
  const auto first = tables.Of(Pairs({0, 1, 2, 3}, {1, 1, 1, 1})),
             second = tables.Of(Pairs({0, 1, 2, 3}, {0, 0, 0, 0}));
  EXPECT_EQ(first, second);
  EXPECT_NE(first, tables.Of(Eight({})));
}

}  // namespace
}  // namespace plugins::node_topology
