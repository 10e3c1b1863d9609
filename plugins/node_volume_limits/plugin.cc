// NodeVolumeLimits: rejects nodes that cannot attach more volumes of a driver. EBSLimits, GCEPDLimits, AzureDiskLimits,
// and CinderLimits, the former plugins for one driver each, do the same for the CSI driver that replaced it. Source:
// pkg/scheduler/framework/plugins/nodevolumelimits/csi.go.
#include <berth/plugin.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "../common/in_tree_volumes.h"
#include "../common/volume_objects.h"

namespace plugins {

using namespace berth::sdk;  // NOLINT: a plugin uses the SDK's names
using namespace in_tree;     // NOLINT: and the names of in-tree drivers

class VolumeLimits {
 public:
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS};
  static constexpr Interest kInterests[] = {{"storage.k8s.io/CSINode", BERTH_ACTION_ADD, false},
                                            {"storage.k8s.io/CSINode", BERTH_ACTION_UPDATE},
                                            {"Pod", BERTH_ACTION_DELETE},
                                            {"PersistentVolumeClaim", BERTH_ACTION_ADD},
                                            {"storage.k8s.io/VolumeAttachment", BERTH_ACTION_DELETE}};

  // only: the driver whose limit counts; "": all drivers.
  VolumeLimits(Host& host, std::string_view only) : host_(host), objects_(host), only_(only) {}

  void Activate() {
    objects_.Activate();
    csi_nodes_ = objects_.objects().Need("storage.k8s.io", "v1", "csinodes");
    attachments_ = objects_.objects().Need("storage.k8s.io", "v1", "volumeattachments");
  }

  void ObjectChanged(ObjectKind kind, Object before, Object now) {
    if (kind != attachments_) return;
    if (before) by_node_[NodeOf(before)].erase(std::string(before.name()));
    if (now) by_node_[NodeOf(now)].insert(std::string(now.name()));
  }

  Status PreFilter(Cycle&, const Pod& pod) { return Counts(pod) ? Status::Ok() : Status::Skip(); }

  Status Filter(Cycle& cycle, const Pod& pod, Rows rows, std::span<berth_verdict> out) {
    if (!Counts(pod)) return Status::Ok();
    std::array<std::optional<Wanted>, 2> wanted;  // by whether the node has a CSINode
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      const Node node = cycle.snap().At(row);
      const Object csi_node = objects_.objects().Get(csi_nodes_, "", host_.Text(node.name()));
      const bool migrated = static_cast<bool>(csi_node);
      if (!wanted[migrated]) wanted[migrated] = WantedBy(pod, migrated);
      out[i] = Judge(cycle, *wanted[migrated], csi_node, node);
    });
    return Status::Ok();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    switch (event.interest()) {
      case 1: return AnyLimitGrew(event.old_value(), event.new_value());
      case 2: return GivesBack(event.old_pod());
      case 3: return NamesClaim(host_, pod, event.new_value(), Ephemeral::kCounted);
      case 4: return MayUse(pod, event.old_value().Get("spec").Get("attacher").AsString());
      default: return true;
    }
  }

 private:
  // "driver/handle" -> driver
  using Volumes = std::map<std::string, std::string>;
  struct Trouble {
    std::string text;
    bool missing = false;  // an object does not exist yet; otherwise the attempt fails
  };
  struct Wanted {
    Volumes volumes;
    Trouble trouble;
  };

  static bool Counts(const Pod& pod) {
    for (const berth_volume& volume : pod.volumes()) {
      if (HasClaim(volume) || InTreeOfKind(volume.kind) != nullptr) return true;
    }
    return false;
  }
  static std::string NodeOf(const Object& attachment) {
    return std::string(attachment.At("spec", "nodeName").AsString());
  }

  Wanted WantedBy(const Pod& pod, bool migrated) const {
    Wanted wanted;
    wanted.trouble = Collect(pod, migrated, true, wanted.volumes);
    return wanted;
  }

  berth_verdict Judge(Cycle& cycle, const Wanted& pod, const Object& csi_node, const Node& node) const {
    if (!pod.trouble.text.empty()) {
      const ReasonList why = cycle.Reasons({pod.trouble.text});
      return pod.trouble.missing ? Verdict::Unresolvable(why) : Verdict::Error(why);
    }
    const auto limits = LimitsOf(csi_node.value());
    if (pod.volumes.empty() || limits.empty()) return Verdict::Ok();
    Volumes attached;
    for (const Pod running : node.pods()) {
      if (!Counts(running)) continue;
      const Trouble trouble = Collect(running, static_cast<bool>(csi_node), false, attached);
      if (!trouble.text.empty()) return Verdict::Error(cycle.Reasons({trouble.text}));
    }
    Volumes wanted = pod.volumes;
    for (const auto& [volume, driver] : attached) wanted.erase(volume);  // a shared one costs nothing
    AddAttachments(host_.Text(node.name()), attached);
    for (const auto& [driver, limit] : limits) {
      if (!only_.empty() && driver != only_) continue;
      const int64_t more = CountOf(wanted, driver);
      if (more > 0 && CountOf(attached, driver) + more > limit)
        return Verdict::Unschedulable(cycle.Reasons("node(s) exceed max volume count"));
    }
    return Verdict::Ok();
  }

  static int64_t CountOf(const Volumes& volumes, std::string_view driver) {
    return std::count_if(volumes.begin(), volumes.end(), [&](const auto& one) { return one.second == driver; });
  }

  static std::map<std::string, int64_t> LimitsOf(const Value& csi_node) {
    std::map<std::string, int64_t> limits;
    const Value drivers = csi_node.Get("spec").Get("drivers");
    for (uint32_t i = 0; i < drivers.size(); ++i) {
      const Value count = drivers[i].Get("allocatable").Get("count");
      if (!count.is_null()) limits[std::string(drivers[i].Get("name").AsString())] = count.AsInt();
    }
    return limits;
  }

  // migrated: the node has a CSINode, so the CSI drivers that replaced in-tree drivers count.
  Trouble Collect(const Pod& pod, bool migrated, bool incoming, Volumes& volumes) const {
    for (const berth_volume& volume : pod.volumes()) {
      if (!HasClaim(volume)) {
        AddInline(volume, migrated, volumes);
        continue;
      }
      const std::string name = ClaimNameOf(host_, pod, volume);
      if (name.empty()) return {"PersistentVolumeClaim had no name"};
      const Object claim = objects_.Claim(pod.ns(), name);
      if (!claim) {
        if (!incoming) continue;
        return {"looking up PVC " + std::string(host_.Text(pod.ns())) + "/" + name + ": " +
                    VolumeObjects::ClaimNotFound(name),
                true};
      }
      if (volume.kind == BERTH_VOLUME_EPHEMERAL) {
        if (std::string why = NotForPod(host_, claim, pod); !why.empty()) return {std::move(why)};
      }
      AddClaimed(claim, migrated, volumes);
    }
    return {};
  }

  static void Add(std::string_view driver, const std::string& handle, Volumes& volumes) {
    if (driver.empty() || handle.empty()) return;
    volumes.emplace(std::string(driver) + "/" + handle, driver);
  }

  void AddInline(const berth_volume& volume, bool migrated, Volumes& volumes) const {
    const InTree* in_tree = InTreeOfKind(volume.kind);
    if (in_tree == nullptr || !in_tree->counted || !migrated) return;
    if (const auto handle = HandleOf(*in_tree, host_.Text(volume.handle), "")) Add(in_tree->driver, *handle, volumes);
  }

  void AddClaimed(const Object& claim, bool migrated, Volumes& volumes) const {
    const std::string_view volume_name = VolumeObjects::VolumeNameOf(claim);
    const Object volume = volume_name.empty() ? Object() : objects_.Volume(volume_name);
    if (!volume) return AddToCome(claim, migrated, volumes);
    const Value csi = volume.At("spec", "csi");
    if (!csi.is_null())
      return Add(csi.Get("driver").AsString(), std::string(csi.Get("volumeHandle").AsString()), volumes);
    for (const InTree& in_tree : kInTree) {
      const Value source = volume.At("spec", in_tree.source);
      if (source.is_null() || !in_tree.counted || !migrated) continue;
      if (const auto handle = HandleOf(in_tree, source.Get(in_tree.handle).AsString(), ZonesOf(volume)))
        Add(in_tree.driver, *handle, volumes);
      return;
    }
  }
  static std::string_view ZonesOf(const Object& volume) {
    const Value labels = volume.At("metadata", "labels");
    const std::string_view beta = labels.Get("failure-domain.beta.kubernetes.io/zone").AsString();
    return beta.empty() ? labels.Get("topology.kubernetes.io/zone").AsString() : beta;
  }

  // A volume that will be provisioned counts for its driver.
  void AddToCome(const Object& claim, bool migrated, Volumes& volumes) const {
    const std::string_view class_name = VolumeObjects::ClassNameOf(claim);
    const Object storage_class = class_name.empty() ? Object() : objects_.Class(class_name);
    if (!storage_class) return;
    std::string_view driver = storage_class.At("provisioner").AsString();
    if (const InTree* in_tree = InTreeOfPlugin(driver)) {
      if (!in_tree->counted || !migrated) return;
      driver = in_tree->driver;
    }
    // No driver's handle starts with this character.
    Add(driver, "\x01" + std::string(claim.ns()) + "/" + std::string(claim.name()), volumes);
  }

  // Adds the volumes that are attached to the node without a pod that uses them.
  void AddAttachments(std::string_view node, Volumes& attached) const {
    const auto names = by_node_.find(std::string(node));
    if (names == by_node_.end()) return;
    for (const std::string& name : names->second) {
      const Object attachment = objects_.objects().Get(attachments_, "", name);
      if (!attachment) continue;
      const std::string_view volume_name = attachment.At("spec", "source", "persistentVolumeName").AsString();
      const Object volume = volume_name.empty() ? Object() : objects_.Volume(volume_name);
      const Value csi = volume.At("spec", "csi");
      if (csi.is_null()) continue;
      Add(attachment.At("spec", "attacher").AsString(), std::string(csi.Get("volumeHandle").AsString()), attached);
    }
  }

  // ---- events ----

  static bool AnyLimitGrew(const Value& before, const Value& now) {
    const auto old = LimitsOf(before);
    for (const auto& [driver, limit] : LimitsOf(now)) {
      const auto found = old.find(driver);
      if (limit > (found == old.end() ? 0 : found->second)) return true;
    }
    return false;
  }
  static bool GivesBack(const Pod& gone) {
    if (!gone) return true;
    return (gone->node_name != kNoId || gone->nominated_node != kNoId) && Counts(gone);
  }
  static bool MayUse(const Pod& pod, std::string_view driver) {
    for (const berth_volume& volume : pod.volumes()) {
      if (volume.kind == BERTH_VOLUME_CLAIM) return true;
      const InTree* in_tree = InTreeOfKind(volume.kind);
      if (in_tree != nullptr && in_tree->driver == driver) return true;
    }
    return false;
  }

  Host& host_;
  VolumeObjects objects_;
  const std::string_view only_;
  ObjectKind csi_nodes_ = 0, attachments_ = 0;
  std::unordered_map<std::string, std::set<std::string>> by_node_;  // names of VolumeAttachments
};

class NodeVolumeLimits : public VolumeLimits {
 public:
  static constexpr Info kInfo{.name = "NodeVolumeLimits", .vendor = "berth.dev"};
  explicit NodeVolumeLimits(Host& host) : VolumeLimits(host, "") {}
};

class EBSLimits : public VolumeLimits {
 public:
  static constexpr Info kInfo{.name = "EBSLimits", .vendor = "berth.dev"};
  explicit EBSLimits(Host& host) : VolumeLimits(host, "ebs.csi.aws.com") {}
};

class GCEPDLimits : public VolumeLimits {
 public:
  static constexpr Info kInfo{.name = "GCEPDLimits", .vendor = "berth.dev"};
  explicit GCEPDLimits(Host& host) : VolumeLimits(host, "pd.csi.storage.gke.io") {}
};

class AzureDiskLimits : public VolumeLimits {
 public:
  static constexpr Info kInfo{.name = "AzureDiskLimits", .vendor = "berth.dev"};
  explicit AzureDiskLimits(Host& host) : VolumeLimits(host, "disk.csi.azure.com") {}
};

class CinderLimits : public VolumeLimits {
 public:
  static constexpr Info kInfo{.name = "CinderLimits", .vendor = "berth.dev"};
  explicit CinderLimits(Host& host) : VolumeLimits(host, "cinder.csi.openstack.org") {}
};

}  // namespace plugins

BERTH_PLUGIN(plugins::NodeVolumeLimits, plugins::EBSLimits, plugins::GCEPDLimits, plugins::AzureDiskLimits,
             plugins::CinderLimits);
