#include <chrono>
#include <string_view>

#include "codec/fields/field_reader.h"
#include "codec/fields/issue.h"
#include "codec/text/duration.h"
#include "codec/text/label_syntax.h"
#include "config/configuration/args_validator.h"

namespace berth::config {
namespace {

using json::Value;
using Sink = ArgsValidator::Sink;

void CheckRange(const Value& object, std::string_view name, int64_t low, int64_t high, const char* detail,
                const std::string& path, const Sink& sink) {
  const Value& value = fields::FieldOf(object, name);
  // A field left out is 0 in Go.
  if (value.integer() < low || value.integer() > high)
    sink(fields::Child(path, name), fields::Invalid(Value(value.integer()), detail));
}

void CheckDefaultPreemption(const Value& args, const Sink& sink) {
  CheckRange(args, "minCandidateNodesPercentage", 0, 100, "not in valid range [0, 100]", "", sink);
  CheckRange(args, "minCandidateNodesAbsolute", 0, INT64_MAX, "not in valid range [0, inf)", "", sink);
  if (fields::FieldOf(args, "minCandidateNodesPercentage").integer() != 0) return;
  if (fields::FieldOf(args, "minCandidateNodesAbsolute").integer() != 0) return;
  sink("minCandidateNodesPercentage",
       fields::Invalid(0, "cannot be zero at the same time as minCandidateNodesAbsolute"));
  sink("minCandidateNodesAbsolute",
       fields::Invalid(0, "cannot be zero at the same time as minCandidateNodesPercentage"));
}

void CheckBalancedAllocation(const Value& args, const Sink& sink) {
  const json::Array& resources = fields::FieldOf(args, "resources").array();
  for (size_t i = 0; i < resources.size(); ++i) {
    const std::string path = fields::Index("resources", i);
    const std::string& name = fields::FieldOf(resources[i], "name").string();
    for (size_t j = 0; j < i; ++j) {
      if (fields::FieldOf(resources[j], "name").string() != name) continue;
      sink(path + ".name", fields::Duplicate(name));
      break;
    }
    CheckRange(resources[i], "weight", 1, 1, "must be 1", path, sink);
  }
}

void CheckShape(const Value& shape, const std::string& path, const Sink& sink) {
  const json::Array& points = shape.array();
  if (points.empty()) return sink(path, fields::Required("at least one point must be specified"));
  const auto utilization = [&](size_t i) { return fields::FieldOf(points[i], "utilization").integer(); };
  for (size_t i = 1; i < points.size(); ++i) {
    if (utilization(i - 1) < utilization(i)) continue;
    sink(fields::Index(path, i) + ".utilization",
         fields::Invalid(utilization(i), "values must be sorted in increasing order"));
    break;
  }
  for (size_t i = 0; i < points.size(); ++i) {
    CheckRange(points[i], "utilization", 0, 100, "not in valid range [0, 100]", fields::Index(path, i), sink);
    CheckRange(points[i], "score", 0, 10, "not in valid range [0, 10]", fields::Index(path, i), sink);
  }
}

void CheckScoringStrategy(const Value& strategy, const Sink& sink) {
  const std::string& type = fields::FieldOf(strategy, "type").string();
  constexpr std::string_view kRatio = "RequestedToCapacityRatio";
  if (type != "LeastAllocated" && type != "MostAllocated" && type != kRatio) {
    sink("scoringStrategy.type", fields::Unsupported(type, {"LeastAllocated", "MostAllocated", std::string(kRatio)}));
  }
  const json::Array& resources = fields::FieldOf(strategy, "resources").array();
  for (size_t i = 0; i < resources.size(); ++i) {
    const std::string detail =
        "resource weight of " + fields::FieldOf(resources[i], "name").string() + " not in valid range (0, 100]";
    CheckRange(resources[i], "weight", 1, 100, detail.c_str(), fields::Index("scoringStrategy.resources", i), sink);
  }
  const std::string path = "scoringStrategy.requestedToCapacityRatio";
  const Value* ratio = strategy.Find("requestedToCapacityRatio");
  if (type == kRatio && !ratio)
    return sink(path, fields::Required("must be specified when type is RequestedToCapacityRatio"));
  if (type == kRatio) return CheckShape(fields::FieldOf(*ratio, "shape"), path + ".shape", sink);
  if (ratio) sink(path, fields::Forbidden("must be nil when type is not RequestedToCapacityRatio"));
}

void CheckLabelNames(const json::Array& names, const std::string& path, bool groups, const Sink& sink) {
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i].string();
    if (groups && name.find('/') != std::string::npos) {
      sink(fields::Index(path, i), fields::Invalid(name, "resource group name can't contain '/'"));
    }
    for (const std::string& fault : text::LabelKeyErrors(name))
      sink(fields::Index(path, i), fields::Invalid(name, fault));
  }
}

void CheckFit(const Value& args, const Sink& sink) {
  CheckLabelNames(fields::FieldOf(args, "ignoredResources").array(), "ignoredResources", false, sink);
  CheckLabelNames(fields::FieldOf(args, "ignoredResourceGroups").array(), "ignoredResourceGroups", true, sink);
  const Value* strategy = args.Find("scoringStrategy");
  if (!strategy) return sink("scoringStrategy", fields::Required("ScoringStrategy field is required"));
  CheckScoringStrategy(*strategy, sink);
}

void CheckSpreadConstraint(const json::Array& constraints, size_t i, const Sink& sink) {
  const Value& constraint = constraints[i];
  const std::string path = fields::Index("defaultConstraints", i);
  const std::string& key = fields::FieldOf(constraint, "topologyKey").string();
  const std::string& action = fields::FieldOf(constraint, "whenUnsatisfiable").string();
  CheckRange(constraint, "maxSkew", 1, INT64_MAX, "not in valid range (0, inf)", path, sink);
  if (key.empty()) sink(path + ".topologyKey", fields::Required("can not be empty"));
  if (!key.empty()) {
    for (const std::string& fault : text::LabelKeyErrors(key)) sink(path + ".topologyKey", fields::Invalid(key, fault));
  }
  if (action.empty()) {
    sink(path + ".whenUnsatisfiable", fields::Required("can not be empty"));
  } else if (action != "DoNotSchedule" && action != "ScheduleAnyway") {
    sink(path + ".whenUnsatisfiable", fields::Unsupported(action, {"DoNotSchedule", "ScheduleAnyway"}));
  }
  if (constraint.Find("labelSelector")) {
    sink(path + ".labelSelector",
         fields::Forbidden("constraint must not define a selector, as they deduced for each pod"));
  }
  for (size_t j = 0; j < i; ++j) {
    if (fields::FieldOf(constraints[j], "topologyKey").string() != key) continue;
    if (fields::FieldOf(constraints[j], "whenUnsatisfiable").string() != action) continue;
    return sink(path, fields::Duplicate("{" + key + ", " + action + "}"));
  }
}

void CheckPodTopologySpread(const Value& args, const Sink& sink) {
  const std::string& type = fields::FieldOf(args, "defaultingType").string();
  const json::Array& constraints = fields::FieldOf(args, "defaultConstraints").array();
  if (type != "System" && type != "List") {
    sink("defaultingType", fields::Unsupported(type, {"System", "List"}));
  } else if (type == "System" && !constraints.empty()) {
    sink("defaultingType", fields::Invalid(type, "when .defaultConstraints are not empty"));
  }
  for (size_t i = 0; i < constraints.size(); ++i) CheckSpreadConstraint(constraints, i, sink);
}

void CheckVolumeBinding(const Value& args, bool scoring, const Sink& sink) {
  CheckRange(args, "bindTimeoutSeconds", 0, INT64_MAX, "invalid BindTimeoutSeconds, should not be a negative value", "",
             sink);
  if (scoring) return CheckShape(fields::FieldOf(args, "shape"), "shape", sink);
  if (!args.Find("shape")) return;
  sink("shape",
       fields::Invalid(fields::FieldOf(args, "shape"),
                       "unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring"));
}

void CheckDynamicResources(const Value& args, const FeatureGates& gates, const Sink& sink) {
  const auto check = [&](std::string_view name, bool allowed, std::chrono::nanoseconds least, const char* too_small,
                         const char* disabled) {
    const Value& value = fields::FieldOf(args, name);
    if (!value.is_string()) return;
    if (!allowed) return sink(std::string(name), fields::Forbidden(disabled));
    if (const auto duration = text::ParseDuration(value.string()); duration && *duration < least) {
      sink(std::string(name), fields::Invalid(value, too_small));
    }
  };
  check("filterTimeout", gates.Enabled("DRASchedulerFilterTimeout"), std::chrono::nanoseconds(0),
        "must be zero or positive", "DRASchedulingFilterTimeout feature gate is disabled");
  check("bindingTimeout", gates.Enabled("DRADeviceBindingConditions") && gates.Enabled("DRAResourceClaimDeviceStatus"),
        std::chrono::seconds(1), "must be at least 1 second",
        "DRADeviceBindingConditions or DRAResourceClaimDeviceStatus feature gate is disabled");
}

}  // namespace

void InTreeArgsValidator::Check(const std::string& plugin, const Value& args, const Sink& sink) {
  if (plugin == "DefaultPreemption") return CheckDefaultPreemption(args, sink);
  if (plugin == "DynamicResources") return CheckDynamicResources(args, gates_, sink);
  if (plugin == "InterPodAffinity") {
    return CheckRange(args, "hardPodAffinityWeight", 0, 100, "not in valid range [0, 100]", "", sink);
  }
  if (plugin == "NodeAffinity") return CheckNodeAffinityArgs(args, sink);
  if (plugin == "NodeResourcesBalancedAllocation") return CheckBalancedAllocation(args, sink);
  if (plugin == "NodeResourcesFit") return CheckFit(args, sink);
  if (plugin == "PodTopologySpread") return CheckPodTopologySpread(args, sink);
  if (plugin == "VolumeBinding") return CheckVolumeBinding(args, gates_.Enabled("StorageCapacityScoring"), sink);
}

}  // namespace berth::config
