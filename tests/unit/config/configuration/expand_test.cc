#include "config/configuration/expand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config_helpers.h"

namespace berth::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ExpandedProfile ExpandedOf(const std::string& plugins) {
  LoadOptions options;
  options.resolver = TestResolver();
  LoadResult r = LoadText(V1("profiles: [{plugins: " + plugins + "}]\n"), options);
  EXPECT_THAT(Lines(r.errors), IsEmpty()) << plugins;
  return r.profiles.at(0);
}

// Examples of multiPoint: expansion, overrides, disabled plugins, order.
TEST(Expand, WorkedExamples) {
  struct Case {
    const char* plugins;
    Point point;
    const char* expected;
  };
  constexpr const char* kFilters =
      "NodeUnschedulable NodeName TaintToleration NodeAffinity NodePorts NodeResourcesFit VolumeRestrictions "
      "NodeVolumeLimits "
      "VolumeBinding VolumeZone PodTopologySpread InterPodAffinity DynamicResources NodeDeclaredFeatures";
  const std::string with_priority = std::string(kFilters) + " Priority";
  const Case cases[] = {
      {"{score: {disabled: [{name: NodeResourcesFit}]}}", Point::kScore,
       "TaintToleration=3 NodeAffinity=2 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 DynamicResources=2 "
       "NodeResourcesBalancedAllocation=1 ImageLocality=1"},
      {"{score: {disabled: [{name: NodeResourcesFit}]}}", Point::kFilter, kFilters},
      {"{score: {enabled: [{name: NodeResourcesFit, weight: 5}]}}", Point::kScore,
       "NodeResourcesFit=5 TaintToleration=3 NodeAffinity=2 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 "
       "DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1"},
      {"{filter: {enabled: [{name: Priority}]}}", Point::kFilter, with_priority.c_str()},
      {"{multiPoint: {enabled: [{name: TaintToleration}]}}", Point::kScore,
       "TaintToleration=1 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 "
       "DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=1"},
      {"{multiPoint: {enabled: [{name: Priority}]}}", Point::kFilter, with_priority.c_str()},
      {"{multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: DefaultBinder}, {name: "
       "NodeResourcesFit}]}}",
       Point::kScore, "NodeResourcesFit=1"},
      {"{filter: {disabled: [{name: '*'}]}}", Point::kFilter, ""},
      {"{queueSort: {enabled: [{name: FooSort}], disabled: [{name: '*'}]}}", Point::kQueueSort, "FooSort"},
      {"{bind: {enabled: [{name: FooBind}]}}", Point::kBind, "DefaultBinder FooBind"},
      {"{bind: {enabled: [{name: FooBind}], disabled: [{name: DefaultBinder}]}}", Point::kBind, "FooBind"},
      {"{score: {enabled: [{name: ImageLocality, weight: 7}], disabled: [{name: ImageLocality}]}}", Point::kScore,
       "TaintToleration=3 NodeAffinity=2 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 InterPodAffinity=2 "
       "DynamicResources=2 NodeResourcesBalancedAllocation=1 ImageLocality=7"},
      {"{score: {enabled: [{name: randScore}, {name: ImageLocality, weight: 2}, {name: NodeAffinity, weight: 4}]}}",
       Point::kScore,
       "ImageLocality=2 NodeAffinity=4 TaintToleration=3 NodeResourcesFit=1 VolumeBinding=1 PodTopologySpread=2 "
       "InterPodAffinity=2 "
       "DynamicResources=2 NodeResourcesBalancedAllocation=1 randScore=1"},
  };
  for (const Case& c : cases) EXPECT_EQ(Shown(ExpandedOf(c.plugins), c.point), c.expected) << c.plugins;
}

TEST(Expand, NeededPluginsOnceEach) {
  EXPECT_THAT(
      ExpandedOf("{multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: DefaultBinder}]}, "
                 "filter: {enabled: [{name: Priority}]}, score: {enabled: [{name: Priority}]}}")
          .needed,
      ElementsAre("DefaultBinder", "Priority", "PrioritySort"));
}

std::vector<std::string> FaultsOf(const std::string& plugins) {
  const LoadResult r = LoadText(V1("profiles: [{schedulerName: p, plugins: " + plugins + "}]\n"));
  std::vector<std::string> texts;
  for (const ExpandFault& fault : Expand(r.scheduler.profiles[0], ApiVersion::kV1, TestResolver()).faults)
    texts.push_back(fault.text);
  return texts;
}

// The first text is what kube-scheduler 1.36.3 says about the same profile.
TEST(Expand, FaultsHaveUpstreamsMessagesAndOrder) {
  const std::pair<const char*, std::vector<std::string>> cases[] = {
      {"{score: {enabled: [{name: X}]}, preFilter: {enabled: [{name: W}]}}",
       {"PreFilterPlugin \"W\" does not exist", "ScorePlugin \"X\" does not exist"}},
      {"{filter: {enabled: [{name: randScore}]}}", {"plugin \"randScore\" does not extend FilterPlugin plugin"}},
      {"{filter: {enabled: [{name: Priority}, {name: Priority}]}}",
       {"plugin \"Priority\" already registered as \"FilterPlugin\""}},
      {"{multiPoint: {enabled: [{name: randScore}, {name: randScore}]}}",
       {"plugin \"randScore\" already registered as \"ScorePlugin\""}},
      {"{queueSort: {enabled: [{name: FooSort}]}}",
       {"only one queue sort plugin required for profile with scheduler name \"p\", but got 2"}},
      {"{queueSort: {disabled: [{name: '*'}]}}",
       {"only one queue sort plugin required for profile with scheduler name \"p\", but got 0"}},
      {"{bind: {disabled: [{name: '*'}]}}",
       {"at least one bind plugin is needed for profile with scheduler name \"p\""}},
      // Go's sum wraps around below zero, so any weight after a negative one overflows.
      {"{score: {enabled: [{name: randScore, weight: -3}]}}",
       {"score plugins: total score of Score plugins could overflow"}},
  };
  for (const auto& [plugins, texts] : cases) EXPECT_EQ(FaultsOf(plugins), texts) << plugins;
  const std::vector<std::string> everywhere = FaultsOf("{multiPoint: {enabled: [{name: Nope}]}}");
  EXPECT_EQ(everywhere.size(), kPointCount);
  EXPECT_EQ(everywhere[0], "PreFilterPlugin \"Nope\" does not exist");
}

TEST(Expand, RepeatedConfigIsAFault) {
  Profile profile;
  profile.plugin_config = {{.name = "X"}, {.name = "X"}};
  EXPECT_EQ(Expand(profile, ApiVersion::kV1, TestResolver()).faults.at(0).text, "repeated config for plugin X");
}

TEST(ExpandAll, OneQueueForAllProfiles) {
  LoadOptions options;
  options.resolver = TestResolver();
  const LoadResult r = LoadText(V1("profiles:\n- {schedulerName: a}\n- {schedulerName: b, plugins: {multiPoint: "
                                   "{disabled: [{name: PrioritySort}], enabled: [{name: FooSort}]}}}\n"),
                                options);
  EXPECT_THAT(Lines(r.errors),
              ElementsAre("f.yaml:5:31: profiles[1].plugins.queueSort: different queue sort plugins for profile \"b\": "
                          "\"FooSort\", first: \"PrioritySort\""));
  const LoadResult args = LoadText(
      V1("profiles:\n- {schedulerName: a, pluginConfig: [{name: PrioritySort, args: {x: 1}}]}\n- {schedulerName: b}\n"),
      options);
  EXPECT_THAT(Lines(args.errors),
              ElementsAre("f.yaml:5:3: profiles[1].pluginConfig: different queue sort plugin args for profile \"b\""));
}

TEST(StartupError, HasKubeSchedulersMessage) {
  EXPECT_EQ(StartupError("p", "FilterPlugin \"X\" does not exist"),
            "initializing profiles: creating profile for scheduler name p: FilterPlugin \"X\" does not exist");
}

TEST(InTreePoints, EveryPluginOfTheRegistryIsKnown) {
  for (const char* name : {"DynamicResources",
                           "ImageLocality",
                           "TaintToleration",
                           "NodeName",
                           "NodePorts",
                           "NodeAffinity",
                           "NodeDeclaredFeatures",
                           "PodTopologySpread",
                           "NodeUnschedulable",
                           "NodeResourcesFit",
                           "NodeResourcesBalancedAllocation",
                           "VolumeBinding",
                           "VolumeRestrictions",
                           "VolumeZone",
                           "NodeVolumeLimits",
                           "InterPodAffinity",
                           "PrioritySort",
                           "DefaultBinder",
                           "DefaultPreemption",
                           "SchedulingGates",
                           "GangScheduling",
                           "TopologyPlacementGenerator",
                           "PodGroupPodsCount",
                           "EBSLimits"}) {
    EXPECT_TRUE(InTreePoints(name)) << name;
  }
  EXPECT_FALSE(InTreePoints("Priority"));
}

}  // namespace
}  // namespace berth::config
