// Which container runs in which zone: facts of the tests of k8stopologyawareschedwg/numaplacement, and of
// pkg/noderesourcetopology/cache/store_test.go.
#include "placement.h"

#include <optional>
#include <random>

#include "cache_fixture.h"
#include "placement_fixture.h"

namespace plugins::node_topology {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The numbers of a vector, each added to those before.
std::optional<std::vector<uint64_t>> Places(std::string_view text) {
  std::vector<uint64_t> places;
  uint64_t place = 0;
  for (Leb89 numbers(text); !numbers.done();) {
    const auto number = numbers.Next();
    if (!number) return std::nullopt;
    places.push_back(place += *number);
  }
  return places;
}

// TestDecodePerNUMAVectorKnownStrings.
TEST(PlacementNumbers, KnownVectors) {
  EXPECT_THAT(*Places(""), IsEmpty());
  EXPECT_THAT(*Places("#$'H"), ElementsAre(1, 3, 7, 42));
  EXPECT_THAT(*Places("!''$"), ElementsAre(0, 4, 8, 10));
  EXPECT_THAT(*Places("fI++"), ElementsAre(100, 108, 116));
  EXPECT_THAT(*Places("gk3+"), ElementsAre(2000, 2008));
}

// TestLeb89EncodeDecode, TestLeb89ValueRangeBoundaries, TestLeb89RoundTrip, TestLeb89DecodeMultipleValues.
TEST(PlacementNumbers, Boundaries) {
  const std::vector<std::pair<const char*, uint64_t>> known = {{"!", 0},    {"e", 63},    {"f!", 64},   {"fe", 127},
                                                               {"g!", 128}, {"~e", 1663}, {"gf!", 1664}};
  for (const auto& [text, number] : known) {
    EXPECT_THAT(*Places(text), ElementsAre(number));
    EXPECT_EQ(Leb89Text(number), text);
  }
  for (uint64_t number = 0; number < 50000; ++number) {
    Leb89 numbers(Leb89Text(number));
    ASSERT_EQ(numbers.Next(), number);
  }
}

// TestLeb89AlphabetExcludesUnsafe, TestLeb89AlphabetReverseMap, TestLeb89DecodeEmpty. The original ends with a crash if
// it uses such a vector.
TEST(PlacementNumbers, WhatIsNoNumber) {
  for (const char* text : {"\"", "&", "<", ">", "\\", " ", "\x7f", "\xc3\xa4", "f", "!~", "zzzzzzzzzzzzzzzzzzzz!"}) {
    EXPECT_FALSE(Places(text)) << text;
  }
  EXPECT_FALSE(Leb89("").Next());
}

// TestContainerIDHash.
TEST(PlacementHashes, Known) {
  EXPECT_EQ(HashOfContainer("", "", ""), 11145182160106660097u);
  EXPECT_EQ(HashOfContainer("ns", "pod", "cnt"), 9468815510407277218u);
  EXPECT_EQ(HashOfContainer("default", "pod-a", "c1"), 0x3a90e1ffc72f1ae6u);
}

TestNode TwoEmptyZones(const Texts2& attributes, const Texts2& vectors) {
  TestNode node{.name = "node-0", .policy = "", .zones = {}, .more = {}, .attributes = attributes};
  for (const auto& [zone, vector] : vectors) {
    node.zones.push_back({.name = zone, .available = {}, .attributes = {{kVector, vector}}});
  }
  return node;
}
std::optional<PlacementReport> ReportOf(const std::string& metadata, const Texts2& vectors = {}) {
  ReservingCache cache;
  const Texts2 attributes = {{kPolicy, "single-numa-node"}, {kMetadata, metadata}};
  return PlacementReport::Of(cache.Kept(TopologyOf(TwoEmptyZones(attributes, vectors))));
}

struct ReportCase {
  const char* name;
  std::string metadata;
  Texts2 vectors = {};
  bool want = false;
};

class PlacementReports : public testing::TestWithParam<ReportCase> {};

TEST_P(PlacementReports, AreChecked) {
  EXPECT_EQ(ReportOf(GetParam().metadata, GetParam().vectors).has_value(), GetParam().want);
}

// TestUnpackMetadataIntoErrors, and what TestPackMetadata and TestPackUnpackMetadataRoundtrip read of a checked report.
INSTANTIATE_TEST_SUITE_P(
    UpstreamMetadata, PlacementReports,
    testing::Values(ReportCase{.name = "Empty", .metadata = ""},
                    ReportCase{.name = "Prefix", .metadata = "XXXXv001::ve=leb89::cc=1::nn=2::bn=0"},
                    ReportCase{.name = "Version", .metadata = "npv0v999::ve=leb89::cc=1::nn=2::bn=0"},
                    ReportCase{.name = "NoSeparator", .metadata = "npv0v001ve=leb89::cc=1::nn=2::bn=0"},
                    ReportCase{.name = "UnknownField", .metadata = "npv0v001::ve=leb89::cc=1::nn=2::bn=0::xx=0"},
                    ReportCase{.name = "NoNumber", .metadata = "npv0v001::ve=leb89::cc=abc::nn=2::bn=0"},
                    ReportCase{.name = "NoEqualsSign", .metadata = "npv0v001::ve=leb89::cc1::nn=2::bn=0"},
                    ReportCase{.name = "NoValue", .metadata = "npv0v001::ve=leb89::cc=::nn=2::bn=0"},
                    ReportCase{.name = "NoKey", .metadata = "npv0v001::ve=leb89::nn=2::bn=0::cc=1::=5"},
                    ReportCase{.name = "TwoZones", .metadata = Metadata(4, 2, 1), .want = true},
                    ReportCase{.name = "Large", .metadata = Metadata(128, 8, 7), .want = true},
                    ReportCase{.name = "ManyZones", .metadata = Metadata(16, 64, 32), .want = true},
                    ReportCase{.name = "Plain", .metadata = Metadata(4, 2, 1, "plain")}),
    [](const auto& info) { return std::string(info.param.name); });

// TestPayloadValidate; TestPayloadValidateSharedChecks and TestNewDecoder have no others.
INSTANTIATE_TEST_SUITE_P(
    UpstreamPayload, PlacementReports,
    testing::Values(
        ReportCase{.name = "Nothing", .metadata = Metadata(0, 0, 0)},
        ReportCase{.name = "OtherEncoding", .metadata = Metadata(0, 1, 0, "other")},
        ReportCase{.name = "NoContainers", .metadata = Metadata(0, 1, 0), .want = true},
        ReportCase{.name = "NegativeContainers", .metadata = Metadata(-1, 1, 0)},
        ReportCase{.name = "NegativeBusiest", .metadata = Metadata(1, 1, -1)},
        ReportCase{.name = "BusiestOutside", .metadata = Metadata(1, 8, 8)},
        ReportCase{.name = "VectorsWithoutContainers", .metadata = Metadata(0, 1, 0), .vectors = {{"node-0", "#$'H"}}},
        ReportCase{.name = "MoreVectorsThanZones",
                   .metadata = Metadata(8, 1, 0),
                   .vectors = {{"node-0", "!#"}, {"node-1", "$%"}}},
        ReportCase{.name = "ZoneOutside", .metadata = Metadata(8, 2, 0), .vectors = {{"node-2", "!#"}}},
        ReportCase{.name = "NegativeZone", .metadata = Metadata(8, 2, 0), .vectors = {{"node--1", "!#"}}},
        ReportCase{.name = "VectorOfTheBusiest", .metadata = Metadata(8, 2, 1), .vectors = {{"node-1", "$%'()*"}}},
        ReportCase{.name = "EmptyVector", .metadata = Metadata(8, 2, 1), .vectors = {{"node-0", ""}}, .want = true},
        ReportCase{.name = "NoZones", .metadata = Metadata(1, 0, 0)},
        ReportCase{.name = "Typical", .metadata = Metadata(4, 2, 0), .vectors = {{"node-1", "!#"}}, .want = true},
        ReportCase{.name = "ManyVectors",
                   .metadata = Metadata(8, 4, 0),
                   .vectors = {{"node-1", "!#"}, {"node-2", "$%"}, {"node-3", "'("}},
                   .want = true},
        ReportCase{.name = "AllOnOne", .metadata = Metadata(5, 1, 0), .want = true},
        ReportCase{.name = "LastIsBusiest", .metadata = Metadata(4, 4, 3), .vectors = {{"node-0", "!#"}}, .want = true},
        ReportCase{.name = "AllButTheBusiest",
                   .metadata = Metadata(8, 3, 0),
                   .vectors = {{"node-1", "!#"}, {"node-2", "$%"}},
                   .want = true},
        ReportCase{.name = "NoContainersTwoZones", .metadata = Metadata(0, 2, 0), .want = true},
        ReportCase{.name = "UnknownEncoding", .metadata = Metadata(0, 2, 0, "unknown")},
        ReportCase{.name = "NoEncoding", .metadata = "npv0v001::cc=0::nn=2::bn=0"}),
    [](const auto& info) { return std::string(info.param.name); });

INSTANTIATE_TEST_SUITE_P(Own, PlacementReports,
                         testing::Values(ReportCase{.name = "OnlyTheVersion", .metadata = "npv0v001"},
                                         ReportCase{.name = "SeparatorAtTheEnd", .metadata = Metadata(1, 1, 0) + "::"},
                                         ReportCase{.name = "ZoneWithoutNumber",
                                                    .metadata = Metadata(1, 2, 0),
                                                    .vectors = {{"socket-0", "!"}}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(PlacementReportsOwn, OnlyOfThePolicySingleNumaNode) {
  ReservingCache cache;
  for (const Texts2& attributes :
       {Texts2{{kMetadata, Metadata(1, 1, 0)}}, Texts2{{kPolicy, "restricted"}, {kMetadata, Metadata(1, 1, 0)}}}) {
    EXPECT_FALSE(PlacementReport::Of(cache.Kept(TopologyOf(TwoEmptyZones(attributes, {})))));
  }
}

std::vector<uint64_t> Hashes(int count) {
  std::vector<uint64_t> hashes;
  for (int i = 0; i < count; ++i) hashes.push_back(HashOfContainer("ns", "pod" + std::to_string(i), "cnt1"));
  return hashes;
}

// TestDecoderResult, TestDecoderDecode.
TEST(PlacementDecoding, ReportsOfOtherContainersAreRefused) {
  EXPECT_THAT(ReportOf(Metadata(0, 1, 0))->Decode({}), IsEmpty());
  EXPECT_THAT(ReportOf(Metadata(0, 1, 0))->Decode(Hashes(1)), IsEmpty());
  EXPECT_THAT(ReportOf(Metadata(2, 2, 0), {{"node-1", "!"}})->Decode({}), IsEmpty());
  EXPECT_THAT(ReportOf(Metadata(1, 2, 0), {{"node-1", "$"}})->Decode(Hashes(1)), IsEmpty());
  EXPECT_THAT(ReportOf(Metadata(5, 2, 0), {{"node-1", "#!"}})->Decode(Hashes(5)), IsEmpty());
  EXPECT_THAT(ReportOf(Metadata(5, 4, 0), {{"node-1", "#"}, {"node-2", "#"}, {"node-3", "%"}})->Decode(Hashes(5)),
              IsEmpty());
  EXPECT_THAT(ReportOf(Metadata(1, 2, 0), {{"node-1", "f"}})->Decode(Hashes(1)), IsEmpty());
  EXPECT_THAT(ReportOf(Metadata(2, 1, 0))->Decode({7, 7}), IsEmpty());
  EXPECT_THAT(ReportOf(Metadata(2, 2, 1), {{"node-0", "#"}})->Decode({9, 4}), ElementsAre(Placed{4, 1}, Placed{9, 0}));
}

TEST(PlacementDecoding, RandomContainers) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    const uint32_t zones = 1 + random() % 8;
    std::vector<Affinity> affinities;
    std::vector<uint64_t> hashes;
    Placement want;
    for (uint32_t i = 0, count = random() % 200; i < count; ++i) {
      affinities.push_back({"ns" + std::to_string(i % 3), "pod" + std::to_string(i / 2), "c" + std::to_string(i % 2),
                            static_cast<uint32_t>(random() % zones)});
      hashes.push_back(affinities.back().hash());
      want.push_back({hashes.back(), affinities.back().zone});
    }
    std::sort(want.begin(), want.end(), [](const Placed& a, const Placed& b) { return a.container < b.container; });
    const WrittenPlacement written = Encoded(zones, affinities);
    Texts2 vectors;
    for (const auto& [zone, vector] : written.vectors) vectors.emplace_back("node-" + std::to_string(zone), vector);
    ASSERT_EQ(ReportOf(written.metadata, vectors)->Decode(hashes), want);
  }
}

// ---- A placement in the cache.

constexpr auto kNode = "node-0";

TestPod PinnedPod(const char* ns, const char* name, const std::vector<const char*>& containers) {
  TestPod pod = {.name = name, .ns = ns, .node = kNode, .scheduler = "our-profile", .qos = "Guaranteed"};
  for (const char* container : containers) pod.containers.push_back({.requests = {{kCpu, "1"}}, .name = container});
  return pod;
}
const TestPod kPod0 = PinnedPod("ns-0", "pod-0", {"container-0"}),
              kPod1 = PinnedPod("ns-0", "pod-1", {"container-1", "container-2"});

TestNode Reporting(const WrittenPlacement& placement, const std::vector<TestPod>& pods) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const TestPod& pod : pods) names.emplace_back(pod.ns, pod.name);
  return With(TwoZones(kNode, {{kFingerprint, FingerprintOf(names)}}), placement);
}
void Use(ReservingCache& cache, const TestNode& report) {
  cache.Report(report);
  cache.board->Reject(0);
  cache.Resync();
}
// -1: not known.
int ZoneOf(const ReservingCache& cache, const char* pod, const char* container) {
  for (const Placed& placed : cache.board->PlacementOn(0)) {
    if (placed.container == HashOfContainer("ns-0", pod, container)) return static_cast<int>(placed.zone);
  }
  return -1;
}

// TestNRTStoreUpdateWithPods.
TEST(PlacementCache, FollowsReports) {
  ReservingCache cache({}, true);
  const TestPod other = {.name = "pod-2", .ns = "ns-1", .node = kNode, .scheduler = "our-profile"};
  cache.Report(TwoZones(kNode));
  cache.cache->NodeCame(kNode, 0);
  for (const TestPod& pod : {kPod0, kPod1, other}) cache.Put(pod);
  Use(cache, Reporting({Metadata(3, 2, 1), {{0, "!"}}}, {kPod0, kPod1, other}));
  EXPECT_EQ(ZoneOf(cache, "pod-0", "container-0"), 1);
  EXPECT_EQ(ZoneOf(cache, "pod-1", "container-1"), 0);
  EXPECT_EQ(ZoneOf(cache, "pod-1", "container-2"), 1);
  cache.Delete(kPod0);
  Use(cache, Reporting({Metadata(2, 2, 1), {}}, {kPod1, other}));
  EXPECT_EQ(ZoneOf(cache, "pod-0", "container-0"), -1);
  EXPECT_EQ(ZoneOf(cache, "pod-1", "container-1"), 1);
  EXPECT_EQ(cache.board->PlacementOn(0).size(), 2u);
}

// TestNRTStoreLazyDecodeCaching (whose busiest zone has a vector), TestNRTStoreUpdateWithoutPods,
// ...NoNUMAPlacementDueToPolicy, ...DueToMissingMetadata, ...DueToInconsistentContainersCount.
TEST(PlacementCache, ReportsWithoutPlacement) {
  const auto placed = [](const WrittenPlacement& placement, const std::vector<TestPod>& pods, const char* policy) {
    ReservingCache cache({}, true);
    cache.Report(TwoZones(kNode));
    cache.cache->NodeCame(kNode, 0);
    for (const TestPod& pod : pods) cache.Put(pod);
    TestNode report = Reporting(placement, pods);
    for (auto& [name, value] : report.attributes) value = name == kPolicy ? policy : value;
    Use(cache, report);
    EXPECT_FALSE(cache.board->Rejected(0));
    return cache.board->PlacementOn(0).size();
  };
  const WrittenPlacement right = {Metadata(3, 2, 1), {{0, "!"}}};
  EXPECT_EQ(placed(right, {kPod0, kPod1}, "single-numa-node"), 3u);
  EXPECT_EQ(placed({Metadata(3, 2, 1), {{0, "!"}, {1, ""}}}, {kPod0, kPod1}, "single-numa-node"), 0u);
  EXPECT_EQ(placed({Metadata(0, 2, 0), {}}, {}, "single-numa-node"), 0u);
  EXPECT_EQ(placed(right, {kPod0, kPod1}, "best-effort"), 0u);
  EXPECT_EQ(placed({"", {}}, {kPod0, kPod1}, "single-numa-node"), 0u);
  EXPECT_EQ(placed({Metadata(5, 2, 1), {}}, {kPod0, kPod1}, "single-numa-node"), 0u);
}

TEST(PlacementCache, GoesWithItsTopology) {
  ReservingCache cache({}, true);
  cache.Report(TwoZones(kNode));
  cache.cache->NodeCame(kNode, 0);
  cache.Put(kPod0);
  Use(cache, Reporting({Metadata(1, 2, 1), {}}, {kPod0}));
  cache.cache->NodeLeft(kNode);
  EXPECT_THAT(cache.board->PlacementOn(0), IsEmpty());
  cache.cache->NodeCame(kNode, 5);
  EXPECT_EQ(cache.board->PlacementOn(5).size(), 1u);
  cache.Unreport(TwoZones(kNode));
  EXPECT_THAT(cache.board->PlacementOn(5), IsEmpty());
  EXPECT_THAT(cache.board->PlacementOn(99), IsEmpty());
}

}  // namespace
}  // namespace plugins::node_topology
