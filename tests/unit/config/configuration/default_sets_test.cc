#include "config/configuration/default_sets.h"

#include <gtest/gtest.h>

namespace berth::config {
namespace {

std::string Names(const std::vector<Plugin>& plugins) {
  std::string text;
  for (const Plugin& plugin : plugins) {
    if (!text.empty()) text += " ";
    text += plugin.name;
    if (plugin.weight != 0) text += "=" + std::to_string(plugin.weight);
  }
  return text;
}

PluginSet Set(std::vector<Plugin> enabled, std::vector<Plugin> disabled = {}) {
  return {std::move(enabled), std::move(disabled)};
}

// Names and values of upstream's TestMergePlugins.
TEST(MergePluginSet, UpstreamsCases) {
  struct Case {
    const char* name;
    PluginSet defaults;
    PluginSet user;
    const char* enabled;
    const char* disabled;
  };
  const PluginSet two = Set({{"DefaultPlugin1"}, {"DefaultPlugin2"}});
  const PluginSet three = Set({{"Plugin1"}, {"Plugin2"}, {"Plugin3"}});
  const Case cases[] = {
      {.name = "AppendCustomPlugin",
       .defaults = two,
       .user = Set({{"CustomPlugin"}}),
       .enabled = "DefaultPlugin1 DefaultPlugin2 CustomPlugin",
       .disabled = ""},
      {.name = "InsertAfterDefaultPlugins2",
       .defaults = two,
       .user = Set({{"CustomPlugin"}, {"DefaultPlugin2"}}, {{"DefaultPlugin2"}}),
       .enabled = "DefaultPlugin1 CustomPlugin DefaultPlugin2",
       .disabled = "DefaultPlugin2"},
      {.name = "InsertBeforeAllPlugins",
       .defaults = two,
       .user = Set({{"CustomPlugin"}, {"DefaultPlugin1"}, {"DefaultPlugin2"}}, {{"*"}}),
       .enabled = "CustomPlugin DefaultPlugin1 DefaultPlugin2",
       .disabled = "*"},
      {.name = "ReorderDefaultPlugins",
       .defaults = two,
       .user = Set({{"DefaultPlugin2"}, {"DefaultPlugin1"}}, {{"*"}}),
       .enabled = "DefaultPlugin2 DefaultPlugin1",
       .disabled = "*"},
      {.name = "ApplyNilCustomPlugin",
       .defaults = two,
       .user = Set({}),
       .enabled = "DefaultPlugin1 DefaultPlugin2",
       .disabled = ""},
      {.name = "CustomPluginOverrideDefaultPlugin",
       .defaults = three,
       .user = Set({{"Plugin1", 2}, {"Plugin3", 3}}),
       .enabled = "Plugin1=2 Plugin2 Plugin3=3",
       .disabled = ""},
      {.name = "OrderPreserveAfterOverride",
       .defaults = three,
       .user = Set({{"Plugin2", 2}, {"Plugin1", 1}}),
       .enabled = "Plugin1=1 Plugin2=2 Plugin3",
       .disabled = ""},
      {.name = "RepeatedCustomPlugin",
       .defaults = three,
       .user = Set({{"CustomPlugin"}, {"Plugin2", 2}, {"Plugin3", 3}, {"Plugin2", 4}}),
       .enabled = "Plugin1 Plugin2=4 Plugin3=3 CustomPlugin Plugin2=2",
       .disabled = ""},
      {.name = "disabled in the default set",
       .defaults = Set({{"DefaultPlugin"}}, {{"DefaultPlugin2"}}),
       .user = Set({{"CustomPlugin"}}),
       .enabled = "DefaultPlugin CustomPlugin",
       .disabled = "DefaultPlugin2"},
      {.name = "only disabled",
       .defaults = two,
       .user = Set({}, {{"DefaultPlugin1", 7}}),
       .enabled = "DefaultPlugin2",
       .disabled = "DefaultPlugin1"},
  };
  for (const Case& c : cases) {
    const PluginSet merged = MergePluginSet(c.defaults, c.user);
    EXPECT_EQ(Names(merged.enabled), c.enabled) << c.name;
    EXPECT_EQ(Names(merged.disabled), c.disabled) << c.name;
  }
}

constexpr const char* kDefault136 =
    "SchedulingGates PrioritySort NodeUnschedulable NodeName TaintToleration=3 NodeAffinity=2 NodePorts "
    "NodeResourcesFit=1 "
    "VolumeRestrictions NodeVolumeLimits VolumeBinding VolumeZone PodTopologySpread=2 InterPodAffinity=2 "
    "DynamicResources=2 "
    "DefaultPreemption NodeResourcesBalancedAllocation=1 ImageLocality=1 DefaultBinder";

TEST(DefaultPlugins, V1FollowsTheGates) {
  const auto multi_point = [](const char* flag) {
    FeatureGates gates;
    EXPECT_TRUE(gates.Set(flag).empty()) << flag;
    return Names(DefaultPlugins(ApiVersion::kV1, gates).at(Point::kMultiPoint).enabled);
  };
  const std::string base = kDefault136;
  EXPECT_EQ(multi_point(""), base + " NodeDeclaredFeatures");
  EXPECT_EQ(multi_point("AllBeta=false"), base);
  EXPECT_EQ(multi_point("GenericWorkload=true,GangScheduling=true"), base + " NodeDeclaredFeatures GangScheduling");
  EXPECT_EQ(multi_point("GenericWorkload=true,TopologyAwareWorkloadScheduling=true"),
            base + " NodeDeclaredFeatures TopologyPlacementGenerator PodGroupPodsCount=1");
}

TEST(DefaultPlugins, V1beta3Is127sWithDynamicResources) {
  EXPECT_EQ(
      Names(DefaultPlugins(ApiVersion::kV1beta3, FeatureGates()).at(Point::kMultiPoint).enabled),
      "PrioritySort NodeUnschedulable NodeName TaintToleration=3 NodeAffinity=2 NodePorts NodeResourcesFit=1 "
      "VolumeRestrictions EBSLimits GCEPDLimits NodeVolumeLimits AzureDiskLimits VolumeBinding VolumeZone "
      "PodTopologySpread=2 InterPodAffinity=2 DynamicResources=2 DefaultPreemption NodeResourcesBalancedAllocation=1 "
      "ImageLocality=1 DefaultBinder SchedulingGates");
}

TEST(DefaultPlugins, V1beta2Is1231sWithWhat136Needs) {
  const Plugins plugins = DefaultPlugins(ApiVersion::kV1beta2, FeatureGates());
  const std::pair<Point, const char*> cases[] = {
      {Point::kPreEnqueue, "SchedulingGates DynamicResources DefaultPreemption"},
      {Point::kQueueSort, "PrioritySort"},
      {Point::kPreFilter,
       "NodeResourcesFit NodePorts VolumeRestrictions PodTopologySpread InterPodAffinity VolumeBinding "
       "NodeAffinity DynamicResources"},
      {Point::kFilter,
       "NodeUnschedulable NodeName TaintToleration NodeAffinity NodePorts NodeResourcesFit VolumeRestrictions "
       "EBSLimits GCEPDLimits NodeVolumeLimits AzureDiskLimits VolumeBinding VolumeZone PodTopologySpread "
       "InterPodAffinity DynamicResources"},
      {Point::kPostFilter, "DynamicResources DefaultPreemption"},
      {Point::kPreScore, "InterPodAffinity PodTopologySpread TaintToleration NodeAffinity"},
      {Point::kScore,
       "NodeResourcesBalancedAllocation=1 ImageLocality=1 InterPodAffinity=1 NodeResourcesFit=1 NodeAffinity=1 "
       "PodTopologySpread=2 TaintToleration=1 DynamicResources=2"},
      {Point::kReserve, "VolumeBinding DynamicResources"},
      {Point::kPermit, ""},
      {Point::kPreBind, "VolumeBinding DynamicResources"},
      {Point::kBind, "DefaultBinder"},
      {Point::kPostBind, ""},
      {Point::kMultiPoint, ""},
  };
  for (const auto& [point, names] : cases) EXPECT_EQ(Names(plugins.at(point).enabled), names) << PointName(point);
}

TEST(MergePlugins, OldVersionsIgnoreTheSameSets) {
  Plugins user;
  user.at(Point::kPreEnqueue) = Set({{"Mine"}});
  user.at(Point::kMultiPoint) = Set({{"Mine"}});
  user.at(Point::kScore) = Set({{"Mine", 4}}, {{"ImageLocality"}});
  const auto merged = [&](ApiVersion version) { return MergePlugins(version, Plugins(), user); };
  EXPECT_EQ(Names(merged(ApiVersion::kV1).at(Point::kPreEnqueue).enabled), "Mine");
  EXPECT_EQ(Names(merged(ApiVersion::kV1beta3).at(Point::kPreEnqueue).enabled), "");
  EXPECT_EQ(Names(merged(ApiVersion::kV1beta3).at(Point::kMultiPoint).enabled), "Mine");
  EXPECT_EQ(Names(merged(ApiVersion::kV1beta3).at(Point::kScore).disabled), "ImageLocality");
  EXPECT_EQ(Names(merged(ApiVersion::kV1beta2).at(Point::kMultiPoint).enabled), "");
  EXPECT_EQ(Names(merged(ApiVersion::kV1beta2).at(Point::kScore).enabled), "Mine=4");
  EXPECT_EQ(Names(merged(ApiVersion::kV1beta2).at(Point::kScore).disabled), "");
}

}  // namespace
}  // namespace berth::config
