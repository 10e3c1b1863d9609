#include "simulator/simulation/volume_controller.h"

#include <utility>

namespace berth::simulation {
namespace {

using json::Value;

constexpr const char* kBindCompleted = "pv.kubernetes.io/bind-completed";
constexpr const char* kBoundByController = "pv.kubernetes.io/bound-by-controller";
constexpr const char* kProvisionedBy = "pv.kubernetes.io/provisioned-by";
constexpr const char* kSelectedNode = "volume.kubernetes.io/selected-node";
constexpr const char* kBetaClass = "volume.beta.kubernetes.io/storage-class";
constexpr std::string_view kNoProvisioner = "kubernetes.io/no-provisioner";

// Keys of annotations contain dots, so a path cannot address them.
std::string Annotation(const Value& object, std::string_view key) {
  const Value* annotations = object.FindPath("metadata.annotations");
  const Value* found = annotations == nullptr ? nullptr : annotations->Find(key);
  return found == nullptr ? "" : found->string();
}
void Annotate(Value& object, std::string_view key, std::string_view value) {
  object["metadata"]["annotations"].Set(key, value);
}

std::string ClassOf(const Value& claim) {
  const std::string beta = Annotation(claim, kBetaClass);
  return beta.empty() ? json::TextAt(claim, "spec.storageClassName") : beta;
}

bool IsBound(const Value& claim) { return !Annotation(claim, kBindCompleted).empty(); }

bool IsMeantFor(const Value& volume, const Value& claim) {
  const std::string uid = json::TextAt(volume, "spec.claimRef.uid");
  return json::TextAt(volume, "spec.claimRef.name") == json::TextAt(claim, "metadata.name") &&
         json::TextAt(volume, "spec.claimRef.namespace") == json::TextAt(claim, "metadata.namespace") &&
         (uid.empty() || uid == json::TextAt(claim, "metadata.uid"));
}

Value ReferenceTo(const Value& claim) {
  Value reference = Value::MakeObject({{"apiVersion", "v1"}, {"kind", "PersistentVolumeClaim"}});
  for (const char* key : {"namespace", "name", "uid", "resourceVersion"}) {
    reference.Set(key, json::TextAt(claim, std::string("metadata.") + key));
  }
  return reference;
}

std::string LabelOf(const api::InternTables& intern, const api::Node& node, std::string_view key) {
  const berth_list& labels = node.labels->abi.items;
  for (uint32_t i = 0; i < labels.n; ++i) {
    const berth_kv& label = static_cast<const berth_kv*>(labels.ptr)[i];
    if (intern.ids.Text(label.key) == key) return std::string(intern.ids.Text(label.value));
  }
  return "";
}

void Copy(const Value& from, std::string_view path, Value& to, std::string_view key) {
  if (const Value* found = from.FindPath(path)) to.Set(key, *found);
}

}  // namespace

Value VolumeController::Find(std::string_view api_version, std::string_view resource, const std::string& key) const {
  const objects::ObjectRef object = cluster_.FindObject(cluster_.KindOf(api_version, resource), key);
  return object == nullptr ? Value() : object->value;
}

void VolumeController::Changed(std::string_view resource, const objects::Object& object) {
  if (resource == "persistentvolumes") VolumeChanged(object.value);
  if (resource == "persistentvolumeclaims") ClaimChanged(object.value);
}

void VolumeController::VolumeChanged(const Value& volume) {
  const std::string name = json::TextAt(volume, "spec.claimRef.name");
  if (name.empty()) return;
  Value claim = Find("v1", "persistentvolumeclaims", json::TextAt(volume, "spec.claimRef.namespace") + "/" + name);
  if (claim.is_null() || !IsMeantFor(volume, claim)) return;
  const std::string wanted = json::TextAt(claim, "spec.volumeName");
  if (!IsBound(claim) && (wanted.empty() || wanted == json::TextAt(volume, "metadata.name")))
    Bind(volume, std::move(claim));
}

void VolumeController::ClaimChanged(const Value& claim) {
  if (IsBound(claim) || !json::TextAt(claim, "spec.volumeName").empty() || Annotation(claim, kSelectedNode).empty())
    return;
  for (const objects::ObjectRef& volume : cluster_.Objects(cluster_.KindOf("v1", "persistentvolumes"))) {
    if (IsMeantFor(volume->value, claim)) return Bind(volume->value, claim);
  }
  Value volume = Provision(claim);
  if (!volume.is_null()) Bind(std::move(volume), claim);
}

void VolumeController::Bind(Value volume, Value claim) {
  if (!IsMeantFor(volume, claim)) Annotate(volume, kBoundByController, "yes");
  volume["spec"].Set("claimRef", ReferenceTo(claim));
  volume["status"].Set("phase", "Bound");
  if (json::TextAt(claim, "spec.volumeName").empty()) Annotate(claim, kBoundByController, "yes");
  Annotate(claim, kBindCompleted, "yes");
  claim["spec"].Set("volumeName", json::TextAt(volume, "metadata.name"));
  Value& status = claim["status"];
  status.Set("phase", "Bound");
  Copy(volume, "spec.accessModes", status, "accessModes");
  Copy(volume, "spec.capacity", status, "capacity");
  cluster_.SetObject(cluster_.KindOf("v1", "persistentvolumes"), std::move(volume));
  cluster_.SetObject(cluster_.KindOf("v1", "persistentvolumeclaims"), std::move(claim));
}

Value VolumeController::Provision(const Value& claim) const {
  const Value storage_class = Find("storage.k8s.io/v1", "storageclasses", ClassOf(claim));
  const std::string driver = json::TextAt(storage_class, "provisioner");
  const bool waits = json::TextAt(storage_class, "volumeBindingMode") == "WaitForFirstConsumer";
  if (!waits || driver.empty() || driver == kNoProvisioner) return {};
  const std::string name = "pvc-" + json::TextAt(claim, "metadata.uid");
  Value metadata = Value::MakeObject({{"name", name}, {"uid", "uid-of-" + name}});
  Value volume =
      Value::MakeObject({{"apiVersion", "v1"}, {"kind", "PersistentVolume"}, {"metadata", std::move(metadata)}});
  Annotate(volume, kProvisionedBy, driver);
  Value& spec = volume["spec"];
  spec.Set("csi", Value::MakeObject({{"driver", driver}, {"volumeHandle", name}}));
  spec.Set("storageClassName", ClassOf(claim));
  spec.Set("claimRef", ReferenceTo(claim));
  Copy(claim, "spec.resources.requests", spec, "capacity");
  for (const char* key : {"accessModes", "volumeMode", "volumeAttributesClassName"}) {
    Copy(claim, std::string("spec.") + key, spec, key);
  }
  Copy(storage_class, "reclaimPolicy", spec, "persistentVolumeReclaimPolicy");
  Value topology = TopologyOf(driver, Annotation(claim, kSelectedNode));
  if (!topology.is_null()) spec["nodeAffinity"].Set("required", std::move(topology));
  return volume;
}

Value VolumeController::TopologyOf(const std::string& driver, const std::string& node) const {
  const api::NodeRef found = cluster_.FindNode(node);
  if (!found) return {};
  const Value csi_node = Find("storage.k8s.io/v1", "csinodes", node);
  const Value* drivers = csi_node.FindPath("spec.drivers");
  json::Array expressions;
  for (const Value& one : drivers == nullptr ? json::Array() : drivers->array()) {
    const Value* keys = one.Find("topologyKeys");
    if (json::TextAt(one, "name") != driver || keys == nullptr) continue;
    for (const Value& key : keys->array()) {
      const std::string value = LabelOf(cluster_.intern(), *found, key.string());
      expressions.push_back(Value::MakeObject({{"key", key}, {"operator", "In"}, {"values", json::Array{value}}}));
    }
  }
  if (expressions.empty()) return {};
  Value term = Value::MakeObject({{"matchExpressions", std::move(expressions)}});
  return Value::MakeObject({{"nodeSelectorTerms", json::Array{std::move(term)}}});
}

}  // namespace berth::simulation
