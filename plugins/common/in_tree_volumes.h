// Translates volumes of former in-tree drivers to the CSI drivers that replaced them: the name of the driver, and the
// handle that identifies a disk. Source: k8s.io/csi-translation-lib/plugins, isCSIMigrationOn of
// pkg/scheduler/framework/plugins/nodevolumelimits/utils.go, isCSIMigrationOnForPlugin of volumebinding/binder.go. Pure
// logic; thread: any.
#pragma once

#include <berth/plugin.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace plugins::in_tree {

struct InTree {
  uint32_t kind;            // BERTH_VOLUME_*
  std::string_view plugin;  // "kubernetes.io/aws-ebs"
  std::string_view driver;  // of CSI
  std::string_view source;  // the field of a PersistentVolume's spec
  std::string_view handle;  // the member of the field that names the disk
  bool counted;             // nodes with a CSINode count it, because a CSI driver may have replaced the in-tree driver
  std::string_view zone;    // the CSI driver's label for a node's zone; "": none
};

inline constexpr InTree kInTree[] = {
    {BERTH_VOLUME_AWS_EBS, "kubernetes.io/aws-ebs", "ebs.csi.aws.com", "awsElasticBlockStore", "volumeID", true,
     "topology.ebs.csi.aws.com/zone"},
    {BERTH_VOLUME_GCE_PD, "kubernetes.io/gce-pd", "pd.csi.storage.gke.io", "gcePersistentDisk", "pdName", true,
     "topology.gke.io/zone"},
    {BERTH_VOLUME_AZURE_DISK, "kubernetes.io/azure-disk", "disk.csi.azure.com", "azureDisk", "diskURI", true, ""},
    {BERTH_VOLUME_CINDER, "kubernetes.io/cinder", "cinder.csi.openstack.org", "cinder", "volumeID", true,
     "topology.cinder.csi.openstack.org/zone"},
    {BERTH_VOLUME_PORTWORX, "kubernetes.io/portworx-volume", "pxd.portworx.com", "portworxVolume", "volumeID", true,
     ""},
    {BERTH_VOLUME_AZURE_FILE, "kubernetes.io/azure-file", "file.csi.azure.com", "azureFile", "shareName", false, ""},
    {BERTH_VOLUME_VSPHERE, "kubernetes.io/vsphere-volume", "csi.vsphere.vmware.com", "vsphereVolume", "volumePath",
     false, ""}};

inline const InTree* InTreeOfKind(uint32_t kind) {
  for (const InTree& one : kInTree) {
    if (one.kind == kind) return &one;
  }
  return nullptr;
}
inline const InTree* InTreeOfPlugin(std::string_view plugin) {
  for (const InTree& one : kInTree) {
    if (one.plugin == plugin) return &one;
  }
  return nullptr;
}

// "aws://zone/vol-1" -> "vol-1"; other ids are handles. nullopt: invalid name of a volume.
inline std::optional<std::string> EbsHandle(std::string_view id) {
  constexpr std::string_view kScheme = "aws://";
  if (id.substr(0, kScheme.size()) != kScheme) return std::string(id);
  const std::string_view rest = id.substr(kScheme.size());
  const size_t slash = rest.find('/');  // the part before it is the host: the zone
  std::string_view path = slash == std::string_view::npos ? std::string_view() : rest.substr(slash);
  while (!path.empty() && path.front() == '/') path.remove_prefix(1);
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  if (path.substr(0, 4) != "vol-" || path.find('/') != std::string_view::npos) return std::nullopt;
  return std::string(path);
}

// The common region of zones such as "us-central1-a"; nullopt if they have none.
inline std::optional<std::string> GceRegion(std::string_view zones) {
  std::string region;
  for (size_t at = 0;;) {
    const size_t end = zones.find("__", at);
    const std::string_view zone = zones.substr(at, end == std::string_view::npos ? end : end - at);
    const size_t dash = zone.rfind('-');
    if (dash == std::string_view::npos || std::count(zone.begin(), zone.end(), '-') != 2) return std::nullopt;
    const std::string_view one = zone.substr(0, dash);
    if (!region.empty() && region != one) return std::nullopt;
    region = one;
    if (end == std::string_view::npos) return region;
    at = end + 2;
  }
}

// zones: the volume's zone label; "" for an inline volume of a pod.
inline std::optional<std::string> HandleOf(const InTree& in_tree, std::string_view id, std::string_view zones) {
  if (in_tree.kind == BERTH_VOLUME_AWS_EBS) return EbsHandle(id);
  if (in_tree.kind != BERTH_VOLUME_GCE_PD) return std::string(id);
  std::string place = "zones/" + std::string(zones.empty() ? "UNSPECIFIED" : zones);
  if (zones.find("__") != std::string_view::npos) {
    const auto region = GceRegion(zones);
    if (!region) return std::nullopt;
    place = "regions/" + *region;
  }
  return "projects/UNSPECIFIED/" + place + "/disks/" + std::string(id);
}

}  // namespace plugins::in_tree
