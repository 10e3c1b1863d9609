#include "config/configuration/default_sets.h"

#include <algorithm>
#include <map>
#include <set>

namespace berth::config {
namespace {

std::vector<Plugin> CurrentDefaults() {
  return {
      {"SchedulingGates"},      {"PrioritySort"},        {"NodeUnschedulable"}, {"NodeName"},
      {"TaintToleration", 3},   {"NodeAffinity", 2},     {"NodePorts"},         {"NodeResourcesFit", 1},
      {"VolumeRestrictions"},   {"NodeVolumeLimits"},    {"VolumeBinding"},     {"VolumeZone"},
      {"PodTopologySpread", 2}, {"InterPodAffinity", 2}, {"DefaultPreemption"}, {"NodeResourcesBalancedAllocation", 1},
      {"ImageLocality", 1},     {"DefaultBinder"}};
}

std::vector<Plugin> V1beta3Defaults() {
  return {{"PrioritySort"},        {"NodeUnschedulable"},  {"NodeName"},
          {"TaintToleration", 3},  {"NodeAffinity", 2},    {"NodePorts"},
          {"NodeResourcesFit", 1}, {"VolumeRestrictions"}, {"EBSLimits"},
          {"GCEPDLimits"},         {"NodeVolumeLimits"},   {"AzureDiskLimits"},
          {"VolumeBinding"},       {"VolumeZone"},         {"PodTopologySpread", 2},
          {"InterPodAffinity", 2}, {"DefaultPreemption"},  {"NodeResourcesBalancedAllocation", 1},
          {"ImageLocality", 1},    {"DefaultBinder"},      {"SchedulingGates"}};
}

constexpr int32_t kDynamicResourcesWeight = 2;  // as in 1.36

Plugins V1beta2Defaults() {
  const Plugin dra{"DynamicResources"};
  Plugins plugins;
  plugins.at(Point::kPreEnqueue).enabled = {{"SchedulingGates"}, dra, {"DefaultPreemption"}};
  plugins.at(Point::kQueueSort).enabled = {{"PrioritySort"}};
  plugins.at(Point::kPreFilter).enabled = {
      {"NodeResourcesFit"}, {"NodePorts"},     {"VolumeRestrictions"}, {"PodTopologySpread"},
      {"InterPodAffinity"}, {"VolumeBinding"}, {"NodeAffinity"},       dra};
  plugins.at(Point::kFilter).enabled = {
      {"NodeUnschedulable"}, {"NodeName"},          {"TaintToleration"},    {"NodeAffinity"},
      {"NodePorts"},         {"NodeResourcesFit"},  {"VolumeRestrictions"}, {"EBSLimits"},
      {"GCEPDLimits"},       {"NodeVolumeLimits"},  {"AzureDiskLimits"},    {"VolumeBinding"},
      {"VolumeZone"},        {"PodTopologySpread"}, {"InterPodAffinity"},   dra};
  plugins.at(Point::kPostFilter).enabled = {dra, {"DefaultPreemption"}};
  plugins.at(Point::kPreScore).enabled = {
      {"InterPodAffinity"}, {"PodTopologySpread"}, {"TaintToleration"}, {"NodeAffinity"}};
  plugins.at(Point::kScore).enabled = {{"NodeResourcesBalancedAllocation", 1},
                                       {"ImageLocality", 1},
                                       {"InterPodAffinity", 1},
                                       {"NodeResourcesFit", 1},
                                       {"NodeAffinity", 1},
                                       {"PodTopologySpread", 2},
                                       {"TaintToleration", 1},
                                       {"DynamicResources", kDynamicResourcesWeight}};
  plugins.at(Point::kReserve).enabled = {{"VolumeBinding"}, dra};
  plugins.at(Point::kPreBind).enabled = {{"VolumeBinding"}, dra};
  plugins.at(Point::kBind).enabled = {{"DefaultBinder"}};
  return plugins;
}

// DynamicResources comes before DefaultPreemption: releasing an idle claim is better than evicting a pod.
void InsertDynamicResources(std::vector<Plugin>& enabled) {
  const auto preemption =
      std::find_if(enabled.begin(), enabled.end(), [](const Plugin& p) { return p.name == "DefaultPreemption"; });
  enabled.insert(preemption, {"DynamicResources", kDynamicResourcesWeight});
}

void ApplyGates(std::vector<Plugin>& enabled, const FeatureGates& gates) {
  if (gates.Enabled("NodeDeclaredFeatures")) enabled.push_back({"NodeDeclaredFeatures"});
  if (gates.Enabled("DynamicResourceAllocation")) InsertDynamicResources(enabled);
  if (gates.Enabled("GangScheduling")) enabled.push_back({"GangScheduling"});
  if (gates.Enabled("TopologyAwareWorkloadScheduling")) {
    enabled.push_back({"TopologyPlacementGenerator"});
    enabled.push_back({"PodGroupPodsCount", 1});
  }
}

}  // namespace

Plugins DefaultPlugins(ApiVersion version, const FeatureGates& gates) {
  if (version == ApiVersion::kV1beta2) return V1beta2Defaults();
  Plugins plugins;
  std::vector<Plugin>& enabled = plugins.at(Point::kMultiPoint).enabled;
  if (version == ApiVersion::kV1beta3) {
    enabled = V1beta3Defaults();
    InsertDynamicResources(enabled);
  } else {
    enabled = CurrentDefaults();
    ApplyGates(enabled, gates);
  }
  return plugins;
}

PluginSet MergePluginSet(const PluginSet& defaults, const PluginSet& user) {
  PluginSet merged;
  std::set<std::string_view> disabled;
  for (const PluginSet* set : {&user, &defaults}) {
    for (const Plugin& plugin : set->disabled) {
      merged.disabled.push_back({plugin.name, 0, plugin.mark});
      disabled.insert(plugin.name);
    }
  }
  std::map<std::string_view, size_t> last_named;
  for (size_t i = 0; i < user.enabled.size(); ++i) last_named[user.enabled[i].name] = i;
  std::set<size_t> used;
  for (const Plugin& plugin : defaults.enabled) {
    if (disabled.contains("*") || disabled.contains(plugin.name)) continue;
    const auto named = last_named.find(plugin.name);
    if (named != last_named.end()) used.insert(named->second);
    merged.enabled.push_back(named == last_named.end() ? plugin : user.enabled[named->second]);
  }
  for (size_t i = 0; i < user.enabled.size(); ++i) {
    if (!used.contains(i)) merged.enabled.push_back(user.enabled[i]);
  }
  return merged;
}

bool IgnoresSet(ApiVersion version, Point point) {
  if (version == ApiVersion::kV1) return false;
  return point == Point::kPreEnqueue || (version == ApiVersion::kV1beta2 && point == Point::kMultiPoint);
}

Plugins MergePlugins(ApiVersion version, const Plugins& defaults, const Plugins& user) {
  Plugins merged = defaults;
  for (size_t i = 0; i < kSetCount; ++i) {
    if (IgnoresSet(version, static_cast<Point>(i))) continue;
    merged.sets[i] = MergePluginSet(defaults.sets[i], user.sets[i]);
    if (version == ApiVersion::kV1beta2) merged.sets[i].disabled.clear();
  }
  return merged;
}

bool IsLegacyPlugin(std::string_view name) {
  constexpr std::string_view kNames[] = {"EBSLimits", "GCEPDLimits", "AzureDiskLimits", "CinderLimits",
                                         "SelectorSpread"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::string_view ReplacementOfRemoved(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kRemoved[] = {
      {"NodePreferAvoidPods", "taint the node with effect PreferNoSchedule, or use node affinity in the pod"},
      {"ServiceAffinity", "use pod affinity or topologySpreadConstraints in the pod"},
      {"NodeLabel", "use NodeAffinity with args addedAffinity"},
  };
  for (const auto& [removed, replacement] : kRemoved) {
    if (removed == name) return replacement;
  }
  return {};
}

}  // namespace berth::config
