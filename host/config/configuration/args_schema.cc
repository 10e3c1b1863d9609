#include "config/configuration/args_schema.h"

namespace berth::config {
namespace {

using enum FieldType;
using enum Written;

constexpr ArgsField kRequirement[] = {
    {"key", kString, kAlways}, {"operator", kString, kAlways}, {"values", kString, kUnlessZero, true}};

constexpr ArgsField kNodeSelectorTerm[] = {{"matchExpressions", kObject, kUnlessZero, true, kRequirement},
                                           {"matchFields", kObject, kUnlessZero, true, kRequirement}};

constexpr ArgsField kNodeSelector[] = {{"nodeSelectorTerms", kObject, kAlways, true, kNodeSelectorTerm}};

constexpr ArgsField kPreferredTerm[] = {{"weight", kInt32, kAlways},
                                        {"preference", kObject, kAlways, false, kNodeSelectorTerm}};

constexpr ArgsField kNodeAffinityType[] = {
    {"requiredDuringSchedulingIgnoredDuringExecution", kObject, kWhenSet, false, kNodeSelector},
    {"preferredDuringSchedulingIgnoredDuringExecution", kObject, kUnlessZero, true, kPreferredTerm}};

constexpr ArgsField kLabelSelector[] = {{"matchLabels", kStringMap, kUnlessZero},
                                        {"matchExpressions", kObject, kUnlessZero, true, kRequirement}};

constexpr ArgsField kSpreadConstraint[] = {{"maxSkew", kInt32, kAlways},
                                           {"topologyKey", kString, kAlways},
                                           {"whenUnsatisfiable", kString, kAlways},
                                           {"labelSelector", kObject, kWhenSet, false, kLabelSelector},
                                           {"minDomains", kInt32, kWhenSet},
                                           {"nodeAffinityPolicy", kString, kWhenSet},
                                           {"nodeTaintsPolicy", kString, kWhenSet},
                                           {"matchLabelKeys", kString, kUnlessZero, true}};

constexpr ArgsField kResource[] = {{"name", kString, kAlways}, {"weight", kInt64, kUnlessZero}};
constexpr ArgsField kShapePoint[] = {{"utilization", kInt32, kAlways}, {"score", kInt32, kAlways}};
constexpr ArgsField kRatioParam[] = {{"shape", kObject, kUnlessZero, true, kShapePoint}};

constexpr ArgsField kScoringStrategy[] = {{"type", kString, kUnlessZero},
                                          {"resources", kObject, kUnlessZero, true, kResource},
                                          {"requestedToCapacityRatio", kObject, kWhenSet, false, kRatioParam}};

constexpr ArgsField kDefaultPreemption[] = {{"minCandidateNodesPercentage", kInt32, kWhenSet},
                                            {"minCandidateNodesAbsolute", kInt32, kWhenSet}};

constexpr ArgsField kDynamicResources[] = {{"filterTimeout", kDuration, kAlways},
                                           {"bindingTimeout", kDuration, kWhenSet}};

constexpr ArgsField kInterPodAffinity[] = {{"hardPodAffinityWeight", kInt32, kWhenSet},
                                           {"ignorePreferredTermsOfExistingPods", kBool, kAlways, false, {}, true}};

constexpr ArgsField kNodeAffinity[] = {{"addedAffinity", kObject, kWhenSet, false, kNodeAffinityType}};
constexpr ArgsField kBalancedAllocation[] = {{"resources", kObject, kUnlessZero, true, kResource}};

constexpr ArgsField kFit[] = {{"ignoredResources", kString, kUnlessZero, true},
                              {"ignoredResourceGroups", kString, kUnlessZero, true},
                              {"scoringStrategy", kObject, kWhenSet, false, kScoringStrategy}};

constexpr ArgsField kPodTopologySpread[] = {{"defaultConstraints", kObject, kUnlessZero, true, kSpreadConstraint},
                                            {"defaultingType", kString, kUnlessZero}};

constexpr ArgsField kVolumeBinding[] = {{"bindTimeoutSeconds", kInt64, kWhenSet},
                                        {"shape", kObject, kUnlessZero, true, kShapePoint}};

struct ArgsType {
  std::string_view plugin;
  ArgsFields fields;
};

constexpr ArgsType kTypes[] = {{"DefaultPreemption", kDefaultPreemption},
                               {"DynamicResources", kDynamicResources},
                               {"InterPodAffinity", kInterPodAffinity},
                               {"NodeAffinity", kNodeAffinity},
                               {"NodeResourcesBalancedAllocation", kBalancedAllocation},
                               {"NodeResourcesFit", kFit},
                               {"PodTopologySpread", kPodTopologySpread},
                               {"VolumeBinding", kVolumeBinding}};

}  // namespace

ArgsFields ArgsFieldsOf(std::string_view plugin) {
  for (const ArgsType& type : kTypes) {
    if (type.plugin == plugin) return type.fields;
  }
  return {};
}

bool HasArgsType(std::string_view plugin) { return !ArgsFieldsOf(plugin).empty(); }

}  // namespace berth::config
