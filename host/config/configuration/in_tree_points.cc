#include "config/configuration/in_tree_points.h"

#include <map>
#include <string>

namespace berth::config {
namespace {

constexpr PointSet kPreEnqueue = Bit(Point::kPreEnqueue);
constexpr PointSet kPreFilter = Bit(Point::kPreFilter);
constexpr PointSet kFilter = Bit(Point::kFilter);
constexpr PointSet kPostFilter = Bit(Point::kPostFilter);
constexpr PointSet kPreScore = Bit(Point::kPreScore);
constexpr PointSet kScore = Bit(Point::kScore);
constexpr PointSet kReserve = Bit(Point::kReserve);
constexpr PointSet kPreBind = Bit(Point::kPreBind);

struct Entry {
  std::string_view plugin;
  PointSet points;
};

constexpr Entry kEntries[] = {
    {"DynamicResources", kPreEnqueue | kPreFilter | kFilter | kPostFilter | kScore | kReserve | kPreBind},
    {"ImageLocality", kScore},
    {"TaintToleration", kFilter | kPreScore | kScore},
    {"NodeName", kFilter},
    {"NodePorts", kPreFilter | kFilter},
    {"NodeAffinity", kPreFilter | kFilter | kPreScore | kScore},
    {"NodeDeclaredFeatures", kPreFilter | kFilter},
    {"PodTopologySpread", kPreFilter | kFilter | kPreScore | kScore},
    {"NodeUnschedulable", kFilter},
    {"NodeResourcesFit", kPreFilter | kFilter | kPreScore | kScore | Bit(Point::kPlacementScore)},
    {"NodeResourcesBalancedAllocation", kPreScore | kScore},
    {"VolumeBinding", kPreFilter | kFilter | kPreScore | kScore | kReserve | kPreBind},
    {"VolumeRestrictions", kPreFilter | kFilter},
    {"VolumeZone", kPreFilter | kFilter},
    {"NodeVolumeLimits", kPreFilter | kFilter},
    {"InterPodAffinity", kPreFilter | kFilter | kPreScore | kScore},
    {"PrioritySort", Bit(Point::kQueueSort)},
    {"DefaultBinder", Bit(Point::kBind)},
    {"DefaultPreemption", kPreEnqueue | kPostFilter},
    {"SchedulingGates", kPreEnqueue},
    {"GangScheduling", kPreEnqueue | Bit(Point::kPermit)},
    {"TopologyPlacementGenerator", Bit(Point::kPlacementGenerate)},
    {"PodGroupPodsCount", Bit(Point::kPlacementScore)},
    // Removed before 1.36; the points are those of 1.23.
    {"EBSLimits", kPreFilter | kFilter},
    {"GCEPDLimits", kPreFilter | kFilter},
    {"AzureDiskLimits", kPreFilter | kFilter},
    {"CinderLimits", kPreFilter | kFilter},
    {"SelectorSpread", kPreScore | kScore},
    {"NodeResourcesLeastAllocated", kScore},
    {"NodeResourcesMostAllocated", kScore},
    {"RequestedToCapacityRatio", kScore},
};

}  // namespace

std::optional<PointSet> InTreePoints(std::string_view plugin) {
  for (const Entry& entry : kEntries) {
    if (entry.plugin == plugin) return entry.points;
  }
  return std::nullopt;
}

PointResolver ResolverFor(const Configuration& configuration) {
  std::map<std::string, PointSet> named;
  for (const Profile& profile : configuration.profiles) {
    for (size_t i = 0; i < kSetCount; ++i) {
      const PointSet bit = i < kPointCount ? Bit(static_cast<Point>(i)) : 0;
      for (const Plugin& plugin : profile.plugins.sets[i].enabled) named[plugin.name] |= bit;
    }
  }
  return [named = std::move(named)](const std::string& name) -> std::optional<PointSet> {
    if (const auto points = InTreePoints(name)) return points;
    const auto found = named.find(name);
    return found == named.end() ? std::nullopt : std::optional<PointSet>(found->second);
  };
}

}  // namespace berth::config
