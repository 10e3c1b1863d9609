#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/testing/plugin_under_test.hpp>

#include "berth/entry.h"
#include "zones.h"

namespace {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names
using testing::ElementsAre;

constexpr const char* kClaims = "v1/persistentvolumeclaims";
constexpr const char* kVolumes = "v1/persistentvolumes";
constexpr const char* kClasses = "storage.k8s.io/v1/storageclasses";
constexpr const char* kZone = "topology.kubernetes.io/zone";
constexpr const char* kRegion = "topology.kubernetes.io/region";
constexpr const char* kBetaZone = "failure-domain.beta.kubernetes.io/zone";
constexpr const char* kBetaRegion = "failure-domain.beta.kubernetes.io/region";

// The objects of upstream's tests.
void AddObjects(PluginUnderTest& plugin) {
  plugin.Put(kVolumes, FakeObject("Vol_1").Label(kBetaZone, "us-west1-a"))
      .Put(kVolumes, FakeObject("Vol_2").Label(kBetaRegion, "us-west1"))
      .Put(kVolumes, FakeObject("Vol_Stable_1").Label(kZone, "us-west1-a"))
      .Put(kVolumes, FakeObject("Vol_Stable_3").Label(kZone, "us-west1-a").Label(kRegion, "us-west1"))
      .Put(kVolumes, FakeObject("Vol_Multi").Label(kZone, "us-west1-b__us-west1-c"))
      .Put(kVolumes, FakeObject("Vol_Bad").Label(kZone, "us-west1-b__"))
      .Put(kClaims, FakeObject("PVC_1", "default").Spec(R"({"volumeName":"Vol_1"})"))
      .Put(kClaims, FakeObject("PVC_2", "default").Spec(R"({"volumeName":"Vol_2"})"))
      .Put(kClaims, FakeObject("PVC_Stable_1", "default").Spec(R"({"volumeName":"Vol_Stable_1"})"))
      .Put(kClaims, FakeObject("PVC_Stable_3", "default").Spec(R"({"volumeName":"Vol_Stable_3"})"))
      .Put(kClaims, FakeObject("PVC_Multi", "default").Spec(R"({"volumeName":"Vol_Multi"})"))
      .Put(kClaims, FakeObject("PVC_Bad", "default").Spec(R"({"volumeName":"Vol_Bad"})"))
      .Put(kClaims, FakeObject("PVC_Lost", "default").Spec(R"({"volumeName":"Vol_not_exist"})"))
      .Put(kClaims, FakeObject("PVC_NoClass", "default").Spec("{}"))
      .Put(kClaims, FakeObject("PVC_EmptyClass", "default").Spec(R"({"storageClassName":"Class_not_exist"})"))
      .Put(kClaims, FakeObject("PVC_Wait", "default").Spec(R"({"storageClassName":"Class_Wait"})"))
      .Put(kClaims, FakeObject("PVC_NoMode", "default").Spec(R"({"storageClassName":"Class_0"})"))
      .Put(kClaims, FakeObject("PVC_Immediate", "default")
                        .Spec(R"({"storageClassName":"Class_Wait"})")
                        .Annotation("volume.beta.kubernetes.io/storage-class", "Class_Immediate"))
      .Put(kClasses, FakeObject("Class_0"))
      .Put(kClasses, FakeObject("Class_Immediate").Set("volumeBindingMode", "Immediate"))
      .Put(kClasses, FakeObject("Class_Wait").Set("volumeBindingMode", "WaitForFirstConsumer"));
}

struct FilterCase {
  const char* name;
  const char* claim;
  std::map<std::string, std::string> labels;  // the node's
  bool fits;
};

class ZoneFilter : public testing::TestWithParam<FilterCase> {};

TEST_P(ZoneFilter, Filter) {
  PluginUnderTest plugin(berth_entry_v1, "VolumeZone");
  AddObjects(plugin);
  FakeNode node("host1");
  for (const auto& [key, value] : GetParam().labels) node.Label(key, value);
  plugin.cluster().Add(node);
  ASSERT_TRUE(plugin.Start().ok());
  auto attempt = plugin.Try(FakePod("pod_1").ClaimVolume(GetParam().claim));
  ASSERT_TRUE(attempt->PreFilter().ok());
  const Outcome expected =
      GetParam().fits ? Outcome{} : Outcome{BERTH_UNRESOLVABLE, {"node(s) had no available volume zone"}};
  EXPECT_EQ(attempt->Filter().nodes.at("host1"), expected);
}

// TestSingleZone, TestMultiZone, and cases of labels without a counterpart.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ZoneFilter,
    testing::Values(
        FilterCase{.name = "NodeWithoutLabels", .claim = "PVC_1", .fits = true},
        FilterCase{.name = "BetaZoneLabelMatched",
                   .claim = "PVC_1",
                   .labels = {{kBetaZone, "us-west1-a"}, {"useless", "none"}},
                   .fits = true},
        FilterCase{
            .name = "BetaRegionLabelMatched", .claim = "PVC_2", .labels = {{kBetaRegion, "us-west1"}}, .fits = true},
        FilterCase{.name = "BetaRegionLabelDoesNotMatch",
                   .claim = "PVC_2",
                   .labels = {{kBetaRegion, "no_us-west1"}},
                   .fits = false},
        FilterCase{.name = "BetaZoneLabelDoesNotMatch",
                   .claim = "PVC_1",
                   .labels = {{kBetaZone, "no_us-west1-a"}},
                   .fits = false},
        FilterCase{
            .name = "ZoneLabelMatched", .claim = "PVC_Stable_1", .labels = {{kZone, "us-west1-a"}}, .fits = true},
        FilterCase{.name = "ZoneLabelDoesNotMatch",
                   .claim = "PVC_Stable_1",
                   .labels = {{kZone, "no_us-west1-a"}},
                   .fits = false},
        FilterCase{.name = "ZoneAndRegionNodeWithOnlyZone",
                   .claim = "PVC_Stable_3",
                   .labels = {{kZone, "us-west1-a"}},
                   .fits = false},
        FilterCase{.name = "ZoneNodeWithBetaZone",
                   .claim = "PVC_Stable_1",
                   .labels = {{kBetaZone, "us-west1-a"}},
                   .fits = false},
        FilterCase{.name = "BetaVolumeNodeWithZone", .claim = "PVC_1", .labels = {{kZone, "us-west1-a"}}, .fits = true},
        FilterCase{.name = "BetaVolumeNodeWithOtherZone",
                   .claim = "PVC_1",
                   .labels = {{kZone, "no_us-west1-a"}},
                   .fits = false},
        FilterCase{
            .name = "MultiZoneNodeInSecond", .claim = "PVC_Multi", .labels = {{kZone, "us-west1-c"}}, .fits = true},
        FilterCase{
            .name = "MultiZoneNodeInNone", .claim = "PVC_Multi", .labels = {{kZone, "us-west1-a"}}, .fits = false},
        FilterCase{
            .name = "NodeWithOnlyRegion", .claim = "PVC_Stable_1", .labels = {{kRegion, "us-west1"}}, .fits = false}),
    [](const auto& info) { return std::string(info.param.name); });

struct PreFilterCase {
  const char* name;
  const char* claim;
  Outcome expected;
};

class ZonePreFilter : public testing::TestWithParam<PreFilterCase> {};

TEST_P(ZonePreFilter, PreFilter) {
  PluginUnderTest plugin(berth_entry_v1, "VolumeZone");
  AddObjects(plugin);
  plugin.cluster().Add(FakeNode("host1").Label(kZone, "us-west1-a"));
  ASSERT_TRUE(plugin.Start().ok());
  const Outcome outcome = plugin.Try(FakePod("pod_1").ClaimVolume(GetParam().claim))->PreFilter();
  EXPECT_EQ(outcome, GetParam().expected);
}

Outcome Never(const char* reason) { return {BERTH_UNRESOLVABLE, {reason}}; }

// TestWithBinding and the error cases of getPVbyPod.
INSTANTIATE_TEST_SUITE_P(
    Upstream, ZonePreFilter,
    testing::Values(PreFilterCase{"EmptyClaimName", "", Never("PersistentVolumeClaim had no name")},
                    PreFilterCase{"NoClaim", "PVC_x", Never("persistentvolumeclaim \"PVC_x\" not found")},
                    PreFilterCase{"NoVolume", "PVC_Lost", Never("persistentvolume \"Vol_not_exist\" not found")},
                    PreFilterCase{"UnboundWithoutClass", "PVC_NoClass",
                                  Never("PersistentVolumeClaim had no pv name and storageClass name")},
                    PreFilterCase{"UnboundNoClass", "PVC_EmptyClass",
                                  Never("storageclass.storage.k8s.io \"Class_not_exist\" not found")},
                    PreFilterCase{"UnboundWithoutMode", "PVC_NoMode",
                                  Never("VolumeBindingMode not set for StorageClass \"Class_0\"")},
                    PreFilterCase{"UnboundImmediateByAnnotation", "PVC_Immediate",
                                  Never("PersistentVolume had no name")},
                    PreFilterCase{"UnboundWaits", "PVC_Wait", {BERTH_SKIP, {}}},
                    PreFilterCase{"LabelThatDoesNotParse", "PVC_Bad", {BERTH_SKIP, {}}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(VolumeZone, APodWithoutVolumesIsSkipped) {
  PluginUnderTest plugin(berth_entry_v1, "VolumeZone");
  plugin.cluster().Add(FakeNode("host1").Label(kZone, "us-west1-a"));
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod("pod_1"))->PreFilter().code, BERTH_SKIP);
}

TEST(VolumeZone, Hints) {
  PluginUnderTest plugin(berth_entry_v1, "VolumeZone");
  AddObjects(plugin);
  ASSERT_TRUE(plugin.Start().ok());
  const std::vector<FakePod> pods = {FakePod("pod_1").ClaimVolume("PVC_1"), FakePod("other").ClaimVolume("PVC_2")};
  const auto hints = [&](const char* resource, uint32_t interest, std::optional<FakeObject> before, FakeObject now) {
    FakeEvent event{.resource = resource, .interest = interest, .new_value = now.document()};
    if (before) event.old_value = before->document();
    return plugin.Hints(event, pods).queue;
  };
  const char* storage_class = "storage.k8s.io/StorageClass";
  EXPECT_THAT(hints(storage_class, 0, {}, FakeObject("c").Set("volumeBindingMode", "Immediate")),
              ElementsAre(false, false));
  EXPECT_THAT(hints(storage_class, 0, {}, FakeObject("c").Set("volumeBindingMode", "WaitForFirstConsumer")),
              ElementsAre(true, true));
  EXPECT_THAT(hints("PersistentVolumeClaim", 2, {}, FakeObject("PVC_1", "default")), ElementsAre(true, false));
  EXPECT_THAT(hints("PersistentVolumeClaim", 2, {}, FakeObject("PVC_1", "elsewhere")), ElementsAre(false, false));
  const FakeObject plain("Vol_1"), zoned = FakeObject("Vol_1").Label(kZone, "a"),
                                   noted = FakeObject("Vol_1").Label("note", "a");
  EXPECT_THAT(hints("PersistentVolume", 3, {}, plain), ElementsAre(true, true));
  EXPECT_THAT(hints("PersistentVolume", 3, plain, zoned), ElementsAre(true, true));
  EXPECT_THAT(hints("PersistentVolume", 3, plain, noted), ElementsAre(false, false));
}

TEST(Zones, OfALabel) {
  using plugins::volume_zone::ZonesOf;
  EXPECT_THAT(*ZonesOf("a"), ElementsAre("a"));
  EXPECT_THAT(*ZonesOf("b__a__b"), ElementsAre("a", "b"));
  EXPECT_THAT(*ZonesOf(" a __b"), ElementsAre("a", "b"));
  EXPECT_EQ(ZonesOf(""), std::nullopt);
  EXPECT_EQ(ZonesOf("a__ __b"), std::nullopt);
  EXPECT_EQ(ZonesOf("a__"), std::nullopt);
}

}  // namespace
