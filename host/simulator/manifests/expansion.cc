#include "simulator/manifests/expansion.h"

#include <algorithm>

namespace berth::manifests {
namespace {

using json::Value;

int64_t IntAt(const Value& object, std::string_view path, int64_t fallback) {
  const Value* found = object.FindPath(path);
  return found != nullptr && found->is_int() ? found->integer() : fallback;
}

constexpr const char* kTemplateHash = "pod-template-hash";

// FNV-1a, encoded in the letters of generated names (k8s.io/apimachinery/pkg/util/rand SafeEncodeString).
std::string HashOf(const Value& value) {
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  uint32_t hash = 2166136261u;
  for (const char c : json::Dump(value)) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  std::string text = std::to_string(hash);
  for (char& c : text) c = kLetters[static_cast<size_t>(c) % kLetters.size()];
  return text;
}

// A claim with the template's metadata and spec, in the pod's namespace.
Value ClaimOf(const Value& made, const std::string& name, const Value& pod) {
  Value claim = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "PersistentVolumeClaim"}});
  if (const Value* metadata = made.Find("metadata")) claim.Set("metadata", Value(*metadata));
  if (const Value* spec = made.Find("spec")) claim.Set("spec", Value(*spec));
  claim["metadata"].Set("name", name);
  if (const Value* ns = pod.FindPath("metadata.namespace")) claim["metadata"].Set("namespace", Value(*ns));
  return claim;
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

Value ReplicaSetOf(const Value& deployment) {
  const Value* pods = deployment.FindPath("spec.template");
  const std::string hash = HashOf(pods == nullptr ? Value() : *pods);
  const std::string name = json::TextAt(deployment, "metadata.name");
  Value owner = Value::MakeObject({{"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"name", name}});
  owner.Set("controller", true);
  Value set = Value::MakeObject({{"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"}});
  Value& metadata = set["metadata"];
  metadata.Set("name", name + "-" + hash);
  if (const Value* ns = deployment.FindPath("metadata.namespace")) metadata.Set("namespace", Value(*ns));
  metadata.Set("ownerReferences", Value(json::Array{std::move(owner)}));
  Value& spec = set["spec"];
  for (const char* key : {"replicas", "selector", "template"}) {
    if (const Value* given = deployment.FindPath(std::string("spec.") + key)) spec.Set(key, Value(*given));
  }
  spec["selector"]["matchLabels"].Set(kTemplateHash, hash);
  Value& labels = spec["template"]["metadata"]["labels"];
  labels.Set(kTemplateHash, hash);
  metadata.Set("labels", labels);
  return set;
}

std::vector<Value> AddClaims(const Value& stateful_set, const std::string& pod_name, Value& pod) {
  std::vector<Value> claims;
  const Value* templates = stateful_set.FindPath("spec.volumeClaimTemplates");
  if (templates == nullptr) return claims;
  json::Array& volumes = pod["spec"]["volumes"].mutable_array();
  for (const Value& one : templates->array()) {
    const std::string volume = json::TextAt(one, "metadata.name"), name = volume + "-" + pod_name;
    claims.push_back(ClaimOf(one, name, pod));
    // As in the controller, the claim's volume replaces a volume with the same name in the template.
    std::erase_if(volumes, [&](const Value& v) { return json::TextAt(v, "name") == volume; });
    volumes.push_back(
        Value::MakeObject({{"name", volume}, {"persistentVolumeClaim", Value::MakeObject({{"claimName", name}})}}));
  }
  return claims;
}

std::vector<Value> EphemeralClaimsOf(const Value& pod) {
  std::vector<Value> claims;
  const Value* volumes = pod.FindPath("spec.volumes");
  if (volumes == nullptr) return claims;
  const std::string pod_name = json::TextAt(pod, "metadata.name"), ns = json::TextAt(pod, "metadata.namespace");
  for (const Value& volume : volumes->array()) {
    const Value* made = volume.FindPath("ephemeral.volumeClaimTemplate");
    if (made == nullptr) continue;
    Value claim = ClaimOf(*made, pod_name + "-" + json::TextAt(volume, "name"), pod);
    Value owner = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "Pod"}, {"name", pod_name}, {"controller", true}});
    const std::string uid = json::TextAt(pod, "metadata.uid");
    owner.Set("uid", uid.empty() ? ns + "/" + pod_name : uid);  // the uid that a pod without one gets here
    claim["metadata"].Set("ownerReferences", Value(json::Array{std::move(owner)}));
    claims.push_back(std::move(claim));
  }
  return claims;
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

// Adds the node's name to every required term, or adds a term with only the name if there is none.
void PinToNode(Value& pod, const std::string& node) {
  Value field = Value::MakeObject({{"key", "metadata.name"}, {"operator", "In"}});
  field.Set("values", Value(json::Array{Value(node)}));
  Value& required = pod["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"];
  json::Array& terms = required["nodeSelectorTerms"].mutable_array();
  if (terms.empty()) terms.push_back(Value::MakeObject());
  for (Value& term : terms) term.Set("matchFields", Value(json::Array{field}));
}

}  // namespace berth::manifests
