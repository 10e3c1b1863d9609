#include "scheduler/objects/kind.h"

#include <algorithm>

#include "base/text.h"

namespace berth::objects {
namespace {

struct NamedEvent {
  std::string_view group, resource, event_resource;
};
constexpr NamedEvent kNamedEvents[] = {
    {"", "persistentvolumes", "PersistentVolume"},
    {"", "persistentvolumeclaims", "PersistentVolumeClaim"},
    {"storage.k8s.io", "csinodes", "storage.k8s.io/CSINode"},
    {"storage.k8s.io", "csidrivers", "storage.k8s.io/CSIDriver"},
    {"storage.k8s.io", "volumeattachments", "storage.k8s.io/VolumeAttachment"},
    {"storage.k8s.io", "csistoragecapacities", "storage.k8s.io/CSIStorageCapacity"},
    {"storage.k8s.io", "storageclasses", "storage.k8s.io/StorageClass"},
    {"resource.k8s.io", "resourceclaims", "resource.k8s.io/ResourceClaim"},
    {"resource.k8s.io", "resourceslices", "resource.k8s.io/ResourceSlice"},
    {"resource.k8s.io", "deviceclasses", "resource.k8s.io/DeviceClass"},
};

bool HasPodTemplate(std::string_view group, std::string_view resource) {
  return (group == "apps" && (resource == "replicasets" || resource == "statefulsets")) ||
         (group.empty() && resource == "replicationcontrollers");
}

bool IsSegment(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-' || c == '.';
  });
}

}  // namespace

std::string Kind::path() const { return (group.empty() ? "/api/" : "/apis/" + group + "/") + version + "/" + resource; }

bool IsKindName(std::string_view group, std::string_view version, std::string_view resource) {
  return !version.empty() && !resource.empty() && IsSegment(group) && IsSegment(version) && IsSegment(resource);
}

Kind MakeKind(std::string_view group, std::string_view version, std::string_view resource) {
  Kind kind;
  kind.group = group;
  kind.version = version;
  kind.resource = resource;
  kind.has_pod_template = HasPodTemplate(group, resource);
  for (const NamedEvent& named : kNamedEvents) {
    if (named.group != group || named.resource != resource) continue;
    kind.event_resource = named.event_resource;
    kind.named_event = true;
    return kind;
  }
  kind.event_resource = kind.resource + "." + kind.version + "." + kind.group;
  return kind;
}

GroupVersion SplitApiVersion(std::string_view api_version) {
  const size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", api_version};
  return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

std::string ResourceOf(std::string_view kind) {
  std::string name = base::Lower(kind);
  if (name.empty() || name.ends_with("endpoints")) return name;
  if (name.back() == 's') return name + "es";
  if (name.back() == 'y') return name.substr(0, name.size() - 1) + "ies";
  return name + "s";
}

}  // namespace berth::objects
