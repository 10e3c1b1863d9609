// Access to PersistentVolumeClaims, PersistentVolumes, and StorageClasses for the volume plugins: their kinds, the
// error texts for missing objects, and the claims of a pod. Source: the listers of k8s.io/client-go,
// k8s.io/component-helpers/storage/volume. Thread: Activate in activate, the rest [serial] and [parallel].
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <string>
#include <string_view>

namespace plugins {

// A lister's error for an object that does not exist.
inline std::string NotFound(std::string_view resource, std::string_view name) {
  return std::string(resource) + " \"" + std::string(name) + "\" not found";
}

class VolumeObjects {
 public:
  explicit VolumeObjects(const berth::sdk::Host& host) : host_(host), objects_(host) {}

  void Activate() {
    claims_ = objects_.Need("", "v1", "persistentvolumeclaims");
    volumes_ = objects_.Need("", "v1", "persistentvolumes");
    classes_ = objects_.Need("storage.k8s.io", "v1", "storageclasses");
  }

  berth::sdk::ObjectKind claims() const { return claims_; }
  berth::sdk::ObjectKind volumes() const { return volumes_; }

  berth::sdk::Object Claim(berth::sdk::Id ns, std::string_view name) const {
    return objects_.Get(claims_, host_.Text(ns), name);
  }
  berth::sdk::Object Volume(std::string_view name) const { return objects_.Get(volumes_, "", name); }
  berth::sdk::Object Class(std::string_view name) const { return objects_.Get(classes_, "", name); }

  static std::string ClaimNotFound(std::string_view name) { return NotFound("persistentvolumeclaim", name); }
  static std::string VolumeNotFound(std::string_view name) { return NotFound("persistentvolume", name); }
  static std::string ClassNotFound(std::string_view name) { return NotFound("storageclass.storage.k8s.io", name); }

  // spec.volumeName; "": the claim is not bound.
  static std::string_view VolumeNameOf(const berth::sdk::Object& claim) {
    return claim.At("spec", "volumeName").AsString();
  }
  // The class of a claim or a volume. The beta annotation takes precedence over the field.
  static std::string_view ClassNameOf(const berth::sdk::Object& object) {
    const berth::sdk::Value beta = object.At("metadata", "annotations", "volume.beta.kubernetes.io/storage-class");
    return beta.is_null() ? object.At("spec", "storageClassName").AsString() : beta.AsString();
  }

  const berth::sdk::Objects& objects() const { return objects_; }

 private:
  const berth::sdk::Host& host_;
  const berth::sdk::Objects objects_;
  berth::sdk::ObjectKind claims_ = 0, volumes_ = 0, classes_ = 0;
};

// Whether a claim backs the volume, and its name. The claim of a generic ephemeral volume has a name made of pod and
// volume.
inline bool HasClaim(const berth_volume& volume) {
  return volume.kind == BERTH_VOLUME_CLAIM || volume.kind == BERTH_VOLUME_EPHEMERAL;
}
inline std::string ClaimNameOf(const berth::sdk::Host& host, const berth::sdk::Pod& pod, const berth_volume& volume) {
  if (volume.kind == BERTH_VOLUME_CLAIM) return std::string(host.Text(volume.handle));
  return std::string(pod.name()) + "-" + std::string(host.Text(volume.name));
}

// The error if the claim of an ephemeral volume does not belong to this pod; "": it does.
inline std::string NotForPod(const berth::sdk::Host& host, const berth::sdk::Object& claim,
                             const berth::sdk::Pod& pod) {
  const berth::sdk::Value owners = claim.At("metadata", "ownerReferences");
  for (uint32_t i = 0; i < owners.size(); ++i) {
    if (owners[i].Get("controller").AsBool() && owners[i].Get("uid").AsString() == pod.uid()) return {};
  }
  const std::string ns(host.Text(pod.ns()));
  return "PVC " + std::string(claim.ns()) + "/" + std::string(claim.name()) + " was not created for pod " + ns + "/" +
         std::string(pod.name()) + " (pod is not owner)";
}

enum class Ephemeral { kIgnored, kCounted };

// Whether a volume of the pod uses this claim, which is given as an event's document.
inline bool NamesClaim(const berth::sdk::Host& host, const berth::sdk::Pod& pod, const berth::sdk::Value& claim,
                       Ephemeral ephemeral = Ephemeral::kIgnored) {
  const berth::sdk::Value metadata = claim.Get("metadata");
  if (metadata.Get("namespace").AsString() != host.Text(pod.ns())) return false;
  const std::string_view name = metadata.Get("name").AsString();
  for (const berth_volume& volume : pod.volumes()) {
    if (volume.kind == BERTH_VOLUME_CLAIM && host.Text(volume.handle) == name) return true;
    if (volume.kind == BERTH_VOLUME_EPHEMERAL && ephemeral == Ephemeral::kCounted &&
        ClaimNameOf(host, pod, volume) == name) {
      return true;
    }
  }
  return false;
}

}  // namespace plugins
