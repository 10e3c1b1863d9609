#include "simulator/manifests/objects.h"

#include <algorithm>

#include "base/text.h"
#include "simulator/manifests/manifest_loader.h"

#include "simulator/manifests/schema.h"

namespace berth::manifests {
namespace {

using json::Value;

constexpr KindName kNamespaced[] = {{"v1", "Service"},
                                    {"v1", "PersistentVolumeClaim"},
                                    {"v1", "ReplicationController"},
                                    {"apps/v1", "ReplicaSet"},
                                    {"apps/v1", "StatefulSet"},
                                    {"policy/v1", "PodDisruptionBudget"},
                                    {"storage.k8s.io/v1", "CSIStorageCapacity"},
                                    {"resource.k8s.io/v1", "ResourceClaim"},
                                    {"resource.k8s.io/v1", "ResourceClaimTemplate"}};

void SetIfAbsent(Value& object, std::string_view key, Value value) {
  const Value* had = object.Find(key);
  if (had == nullptr || had->is_null()) object.Set(key, std::move(value));
}

bool IsDefaultClass(const Value& storage_class) {
  const Value* annotations = storage_class.FindPath("metadata.annotations");
  if (annotations == nullptr) return false;
  for (const char* key :
       {"storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"}) {
    const Value* said = annotations->Find(key);
    if (said != nullptr && said->string() == "true") return true;
  }
  return false;
}

constexpr const char* kNameLabel = "kubernetes.io/metadata.name";

}  // namespace

bool IsNamespaced(std::string_view api_version, std::string_view kind) {
  return std::any_of(std::begin(kNamespaced), std::end(kNamespaced),
                     [&](const KindName& k) { return k.api_version == api_version && k.kind == kind; });
}

bool Objects::Take(Value object, bool gone) {
  const std::string version = json::TextAt(object, "apiVersion"), kind = json::TextAt(object, "kind");
  Value& metadata = object["metadata"];
  if (IsNamespaced(version, kind) && json::TextAt(metadata, "namespace").empty()) metadata.Set("namespace", "default");
  const std::string ns = json::TextAt(metadata, "namespace"), name = json::TextAt(metadata, "name");
  if (name.empty()) return false;
  if (version == "storage.k8s.io/v1" && kind == "StorageClass") RememberClass(object, gone);
  const bool is_namespace = version == "v1" && kind == "Namespace";
  if (gone) {
    if (is_namespace) namespaces_.erase(name);
    return listener_.RemoveObject(version, kind, ns.empty() ? name : ns + "/" + name);
  }
  if (is_namespace) namespaces_.insert(name);
  if (!ns.empty()) UseNamespace(ns);
  if (json::TextAt(metadata, "uid").empty()) SetDefaults(kind, object);
  return listener_.SetObject(version, kind, std::move(object));
}

void Objects::UseNamespace(const std::string& ns) {
  if (!namespaces_.insert(ns).second) return;
  Value object = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "Namespace"}});
  object["metadata"].Set("name", ns);
  SetDefaults("Namespace", object);
  listener_.SetObject("v1", "Namespace", std::move(object));
}

void Objects::SetDefaults(const std::string& kind, Value& object) const {
  const std::string ns = json::TextAt(object, "metadata.namespace");
  object["metadata"].Set(
      "uid", base::Lower(kind) + "-" + (ns.empty() ? "" : ns + "-") + json::TextAt(object, "metadata.name"));
  if (kind == "Namespace") {
    object["metadata"]["labels"].Set(kNameLabel, json::TextAt(object, "metadata.name"));
    SetIfAbsent(object["status"], "phase", "Active");
  } else if (kind == "StorageClass") {
    SetIfAbsent(object, "reclaimPolicy", "Delete");
    SetIfAbsent(object, "volumeBindingMode", "Immediate");
  } else if (kind == "PersistentVolume") {
    SetIfAbsent(object["spec"], "volumeMode", "Filesystem");
    SetIfAbsent(object["spec"], "persistentVolumeReclaimPolicy", "Retain");
    SetIfAbsent(object["status"], "phase", json::TextAt(object, "spec.claimRef.name").empty() ? "Available" : "Bound");
  } else if (kind == "PersistentVolumeClaim") {
    SetIfAbsent(object["spec"], "volumeMode", "Filesystem");
    if (const std::string name = DefaultClass(); !name.empty()) SetIfAbsent(object["spec"], "storageClassName", name);
    const bool bound = !json::TextAt(object, "spec.volumeName").empty();
    SetIfAbsent(object["status"], "phase", bound ? "Bound" : "Pending");
    if (bound) object["metadata"]["annotations"].Set("pv.kubernetes.io/bind-completed", "yes");
  } else if (kind == "CSIDriver") {
    SetIfAbsent(object["spec"], "attachRequired", true);
    SetIfAbsent(object["spec"], "storageCapacity", false);
  }
}

void Objects::RememberClass(const Value& storage_class, bool gone) {
  const std::string name = json::TextAt(storage_class, "metadata.name");
  default_classes_.erase(name);
  if (!gone && IsDefaultClass(storage_class)) {
    default_classes_.emplace(name, json::TextAt(storage_class, "metadata.creationTimestamp"));
  }
}

// The newest default class; of several, the first by name.
std::string Objects::DefaultClass() const {
  const auto newest = std::max_element(default_classes_.begin(), default_classes_.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return newest == default_classes_.end() ? "" : newest->first;
}

}  // namespace berth::manifests
