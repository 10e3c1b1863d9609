#include "simulator/admission/defaults.h"

#include <string>

#include "base/quantity.h"
#include "simulator/admission/quantities.h"

namespace berth::admission {
namespace {

using json::Value;

void SetIfEmpty(Value& object, std::string_view key, const char* text) {
  const Value* had = object.Find(key);
  if (had == nullptr || had->is_null() || (had->is_string() && had->string().empty())) object.Set(key, text);
}

// Sets the requests that are absent to the limits.
void RequestsFromLimits(Value& owner) {
  Value* resources = owner.Find("resources");
  if (resources == nullptr || !resources->is_object()) return;
  const Value* limits = resources->Find("limits");
  if (limits == nullptr || limits->object().empty()) return;
  const json::Object copy = limits->object();
  Value& requests = (*resources)["requests"];
  for (const auto& [name, amount] : copy) {
    if (requests.Find(name) == nullptr) requests.Set(name, amount);
  }
}

void SetPortDefaults(Value& container, bool host_network) {
  Value* ports = container.Find("ports");
  if (ports == nullptr || !ports->is_array()) return;
  for (Value& port : ports->mutable_array()) {
    if (!port.is_object()) continue;
    SetIfEmpty(port, "protocol", "TCP");
    const Value* host_port = port.Find("hostPort");
    const Value* container_port = port.Find("containerPort");
    const bool unset = host_port == nullptr || (host_port->is_int() && host_port->integer() == 0);
    if (host_network && unset && container_port != nullptr) port.Set("hostPort", Value(*container_port));
  }
}

void SetVolumeDefaults(Value& spec) {
  Value* volumes = spec.Find("volumes");
  if (volumes == nullptr || !volumes->is_array()) return;
  for (Value& volume : volumes->mutable_array()) {
    Value* rbd = volume.Find("rbd");
    if (rbd != nullptr && rbd->is_object()) SetIfEmpty(*rbd, "pool", "rbd");
  }
}

bool IsPodLevelResource(std::string_view name) {
  return name == "cpu" || name == "memory" || name.starts_with("hugepages-");
}

// Sets spec.resources.requests to the sum of the containers' requests, or else to the pod's own limit.
void SetPodLevelRequests(Value& spec) {
  Value* resources = spec.Find("resources");
  if (resources == nullptr || !resources->is_object()) return;
  const Value* limits = resources->Find("limits");
  if (limits == nullptr || limits->object().empty()) return;
  const json::Object limit_list = limits->object();
  const json::Object together = AggregateRequests(spec);
  Value& requests = (*resources)["requests"];
  for (const auto& [name, amount] : together) {
    if ((name == "cpu" || name == "memory") && requests.Find(name) == nullptr) requests.Set(name, amount);
  }
  for (const auto& [name, amount] : limit_list) {
    if (IsPodLevelResource(name) && requests.Find(name) == nullptr) requests.Set(name, amount);
  }
}

// Adds `key In [value]` to the selector for each key of the list that is a label of the pod.
void AddKeys(Value& owner, std::string_view list, const char* op, const Value* labels) {
  const Value* keys = owner.Find(list);
  Value* selector = owner.Find("labelSelector");
  if (keys == nullptr || selector == nullptr || !selector->is_object()) return;
  const json::Array names = keys->array();
  for (const Value& key : names) {
    const Value* value = labels == nullptr ? nullptr : labels->Find(key.string());
    if (value == nullptr) continue;
    Value requirement = Value::MakeObject({{"key", key.string()}, {"operator", op}});
    requirement.Set("values", Value(json::Array{Value(value->string())}));
    (*selector)["matchExpressions"].Append(std::move(requirement));
  }
}

void MergeTerm(Value& term, const Value* labels) {
  AddKeys(term, "matchLabelKeys", "In", labels);
  AddKeys(term, "mismatchLabelKeys", "NotIn", labels);
}

void MergeAffinity(Value* affinity, const Value* labels) {
  if (affinity == nullptr || !affinity->is_object()) return;
  if (Value* required = affinity->Find("requiredDuringSchedulingIgnoredDuringExecution")) {
    for (Value& term : required->mutable_array()) MergeTerm(term, labels);
  }
  if (Value* preferred = affinity->Find("preferredDuringSchedulingIgnoredDuringExecution")) {
    for (Value& weighted : preferred->mutable_array()) {
      if (Value* term = weighted.Find("podAffinityTerm")) MergeTerm(*term, labels);
    }
  }
}

}  // namespace

void SetPodDefaults(Value& pod) {
  Value& spec = pod["spec"];
  SetIfEmpty(pod["metadata"], "namespace", "default");
  SetIfEmpty(spec, "schedulerName", "default-scheduler");
  const Value* host = spec.Find("hostNetwork");
  const bool host_network = host != nullptr && host->boolean();
  for (const char* list : {"initContainers", "containers"}) {
    Value* containers = spec.Find(list);
    if (containers == nullptr || !containers->is_array()) continue;
    for (Value& container : containers->mutable_array()) {
      if (!container.is_object()) continue;
      RequestsFromLimits(container);
      SetPortDefaults(container, host_network);
    }
  }
  SetPodLevelRequests(spec);
  SetVolumeDefaults(spec);
}

void SetNodeDefaults(Value& node) {
  const Value *capacity = node.FindPath("status.capacity"), *allocatable = node.FindPath("status.allocatable");
  if (capacity == nullptr || (allocatable != nullptr && !allocatable->is_null())) return;
  node["status"].Set("allocatable", Value(*capacity));
}

void MergeMatchLabelKeys(Value& pod) {
  const Value* found = pod.FindPath("metadata.labels");
  const Value labels = found == nullptr ? Value() : *found;
  Value* spec = pod.Find("spec");
  if (spec == nullptr) return;
  if (Value* affinity = spec->Find("affinity")) {
    MergeAffinity(affinity->Find("podAffinity"), &labels);
    MergeAffinity(affinity->Find("podAntiAffinity"), &labels);
  }
  if (Value* constraints = spec->Find("topologySpreadConstraints")) {
    for (Value& constraint : constraints->mutable_array()) AddKeys(constraint, "matchLabelKeys", "In", &labels);
  }
}

}  // namespace berth::admission
