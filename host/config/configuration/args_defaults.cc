#include "config/configuration/args.h"
#include "config/configuration/args_schema.h"

namespace berth::config {
namespace {

using json::Value;

void SetIfAbsent(Value& args, std::string_view name, Value value) {
  if (!args.Find(name)) args.Set(name, std::move(value));
}

Value Resource(const char* name) { return Value::MakeObject({{"name", name}, {"weight", 1}}); }
Value DefaultResources() { return Value(json::Array{Resource("cpu"), Resource("memory")}); }
Value ShapePoint(int utilization, int score) {
  return Value::MakeObject({{"utilization", utilization}, {"score", score}});
}

bool IsEmptyList(const Value& object, std::string_view name) {
  const Value* list = object.Find(name);
  return !list || list->array().empty();
}

// cpu and memory when no resource is named; a missing or zero weight becomes 1.
void DefaultResourceList(Value& owner) {
  if (IsEmptyList(owner, "resources")) {
    owner.Set("resources", DefaultResources());
    return;
  }
  for (Value& resource : owner["resources"].mutable_array()) {
    if (resource["weight"].integer() == 0) resource.Set("weight", 1);
  }
}

void DefaultFit(Value& args) {
  if (!args.Find("scoringStrategy")) {
    args.Set("scoringStrategy", Value::MakeObject({{"type", "LeastAllocated"}}));
  }
  DefaultResourceList(args["scoringStrategy"]);
}

void DefaultVolumeBinding(Value& args, const FeatureGates& gates) {
  SetIfAbsent(args, "bindTimeoutSeconds", 600);
  if (gates.Enabled("StorageCapacityScoring") && IsEmptyList(args, "shape")) {
    args.Set("shape", Value(json::Array{ShapePoint(0, 10), ShapePoint(100, 0)}));
  }
}

void DefaultDynamicResources(Value& args, const FeatureGates& gates) {
  if (gates.Enabled("DRASchedulerFilterTimeout")) SetIfAbsent(args, "filterTimeout", "10s");
  if (gates.Enabled("DRADeviceBindingConditions") && gates.Enabled("DRAResourceClaimDeviceStatus")) {
    SetIfAbsent(args, "bindingTimeout", "10m0s");
  }
}

}  // namespace

void DefaultArgs(std::string_view plugin, Value& args, const FeatureGates& gates) {
  if (plugin == "DefaultPreemption") {
    SetIfAbsent(args, "minCandidateNodesPercentage", 10);
    SetIfAbsent(args, "minCandidateNodesAbsolute", 100);
  } else if (plugin == "DynamicResources") {
    DefaultDynamicResources(args, gates);
  } else if (plugin == "InterPodAffinity") {
    SetIfAbsent(args, "hardPodAffinityWeight", 1);
  } else if (plugin == "NodeResourcesBalancedAllocation") {
    DefaultResourceList(args);
  } else if (plugin == "NodeResourcesFit") {
    DefaultFit(args);
  } else if (plugin == "PodTopologySpread") {
    if (args["defaultingType"].string().empty()) args.Set("defaultingType", "System");
  } else if (plugin == "VolumeBinding") {
    DefaultVolumeBinding(args, gates);
  }
}

}  // namespace berth::config
