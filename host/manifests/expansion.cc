#include "manifests/expansion.h"

#include <algorithm>

namespace berth::manifests {
namespace {

using json::Value;

int64_t IntAt(const Value& object, std::string_view path, int64_t fallback) {
  const Value* found = object.FindPath(path);
  return found != nullptr && found->is_int() ? found->integer() : fallback;
}

}  // namespace

bool IsWorkload(const std::string& kind) {
  static const char* const kKinds[] = {"Deployment",  "ReplicaSet", "ReplicationController",
                                       "StatefulSet", "DaemonSet",  "Job"};
  return std::any_of(std::begin(kKinds), std::end(kKinds), [&](const char* k) { return kind == k; });
}

bool RollsOut(const std::string& kind) { return kind == "Deployment" || kind == "StatefulSet" || kind == "DaemonSet"; }

Value PodOfTemplate(const std::string& kind, const Value& workload) {
  Value pod = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "Pod"}});
  const Value* made = workload.FindPath("spec.template");
  Value& metadata = pod["metadata"];
  if (const Value* ns = workload.FindPath("metadata.namespace")) metadata.Set("namespace", Value(*ns));
  if (made != nullptr) {
    if (const Value* labels = made->FindPath("metadata.labels")) metadata.Set("labels", Value(*labels));
    if (const Value* annotations = made->FindPath("metadata.annotations")) {
      metadata.Set("annotations", Value(*annotations));
    }
    if (const Value* spec = made->Find("spec")) pod.Set("spec", Value(*spec));
  }
  Value owner = Value::MakeObject({{"kind", kind}, {"controller", true}});
  if (const Value* version = workload.Find("apiVersion")) owner.Set("apiVersion", Value(*version));
  if (const Value* name = workload.FindPath("metadata.name")) owner.Set("name", Value(*name));
  metadata.Set("ownerReferences", Value(json::Array{std::move(owner)}));
  return pod;
}

int64_t ReplicasOf(const std::string& kind, const Value& workload) {
  if (kind != "Job") return std::max<int64_t>(0, IntAt(workload, "spec.replicas", 1));
  const Value* suspended = workload.FindPath("spec.suspend");
  if (suspended != nullptr && suspended->boolean()) return 0;
  const int64_t parallelism = std::max<int64_t>(0, IntAt(workload, "spec.parallelism", 1));
  return std::min(parallelism, IntAt(workload, "spec.completions", parallelism));
}

void AddDaemonTolerations(Value& pod) {
  struct Entry {
    const char *key, *effect;
  };
  static constexpr Entry kAlways[] = {
      {"node.kubernetes.io/not-ready", "NoExecute"},      {"node.kubernetes.io/unreachable", "NoExecute"},
      {"node.kubernetes.io/disk-pressure", "NoSchedule"}, {"node.kubernetes.io/memory-pressure", "NoSchedule"},
      {"node.kubernetes.io/pid-pressure", "NoSchedule"},  {"node.kubernetes.io/unschedulable", "NoSchedule"}};
  const auto add = [&](const Entry& entry) {
    pod["spec"]["tolerations"].Append(
        Value::MakeObject({{"key", entry.key}, {"operator", "Exists"}, {"effect", entry.effect}}));
  };
  for (const Entry& entry : kAlways) add(entry);
  const Value* host = pod.FindPath("spec.hostNetwork");
  if (host != nullptr && host->boolean()) add({"node.kubernetes.io/network-unavailable", "NoSchedule"});
}

// Every required term gets the node's name; without terms there is one that says nothing else.
void PinToNode(Value& pod, const std::string& node) {
  Value field = Value::MakeObject({{"key", "metadata.name"}, {"operator", "In"}});
  field.Set("values", Value(json::Array{Value(node)}));
  Value& required = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"];
  json::Array& terms = required["nodeSelectorTerms"].mutable_array();
  if (terms.empty()) terms.push_back(Value::MakeObject());
  for (Value& term : terms) term.Set("matchFields", Value(json::Array{field}));
}

}  // namespace berth::manifests
