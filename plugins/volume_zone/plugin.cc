// VolumeZone: rejects nodes outside the zones and regions in the labels of the pod's bound volumes. Source:
// pkg/scheduler/framework/plugins/volumezone/volume_zone.go.
#include <berth/plugin.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "../common/volume_objects.h"
#include "zones.h"

namespace plugins {

using namespace berth::sdk;   // NOLINT: a plugin uses the SDK's names
using namespace volume_zone;  // NOLINT: and its own

class VolumeZone {
 public:
  static constexpr Info kInfo{.name = "VolumeZone", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS};
  static constexpr Interest kInterests[] = {{"storage.k8s.io/StorageClass", BERTH_ACTION_ADD},
                                            {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL, false},
                                            {"PersistentVolumeClaim", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE},
                                            {"PersistentVolume", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE}};

  explicit VolumeZone(Host& host) : host_(host), objects_(host) {
    for (size_t i = 0; i < kKeys.size(); ++i) keys_[i] = host.Intern(kKeys[i]);
  }

  void Activate() { objects_.Activate(); }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    std::vector<Topology> all;
    for (const berth_volume& volume : pod.volumes()) {
      if (volume.kind != BERTH_VOLUME_CLAIM) continue;
      if (Status status = AddTopologies(pod, host_.Text(volume.handle), all); !status.ok()) return status;
    }
    if (all.empty()) return Status::Skip();
    cycle.Set<std::vector<Topology>>(std::move(all));
    return Status::Ok();
  }

  Status Filter(Cycle& cycle, const Pod&, Rows rows, std::span<berth_verdict> out) {
    const auto* topologies = cycle.Find<std::vector<Topology>>();
    if (topologies == nullptr) return Status::Ok();  // skipped
    rows.ForEachLive([&](uint32_t i, uint32_t row) {
      if (!Fits(cycle.snap().At(row).view().labels(), *topologies))
        out[i] = Verdict::Unresolvable(cycle.Reasons("node(s) had no available volume zone"));
    });
    return Status::Ok();
  }

  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    switch (event.interest()) {
      case 0: return event.new_value().Get("volumeBindingMode").AsString() == "WaitForFirstConsumer";
      case 2: return NamesClaim(host_, pod, event.new_value());
      case 3: return event.old_value().is_null() || TopologiesIn(event.old_value()) != TopologiesIn(event.new_value());
      default: return true;
    }
  }

 private:
  // OK, or the reason why no node fits.
  Status AddTopologies(const Pod& pod, std::string_view name, std::vector<Topology>& all) const {
    if (name.empty()) return Status::Unresolvable("PersistentVolumeClaim had no name");
    const Object claim = objects_.Claim(pod.ns(), name);
    if (!claim) return Status::Unresolvable(VolumeObjects::ClaimNotFound(name));
    const std::string_view volume_name = VolumeObjects::VolumeNameOf(claim);
    if (volume_name.empty()) return JudgeUnbound(claim);
    const Object volume = objects_.Volume(volume_name);
    if (!volume) return Status::Unresolvable(VolumeObjects::VolumeNotFound(volume_name));
    for (Topology& topology : TopologiesIn(volume.value())) all.push_back(std::move(topology));
    return Status::Ok();
  }

  // A claim without a volume is valid only if its volume is provisioned for the pod's node.
  Status JudgeUnbound(const Object& claim) const {
    const std::string_view class_name = VolumeObjects::ClassNameOf(claim);
    if (class_name.empty()) return Status::Unresolvable("PersistentVolumeClaim had no pv name and storageClass name");
    const Object storage_class = objects_.Class(class_name);
    if (!storage_class) return Status::Unresolvable(VolumeObjects::ClassNotFound(class_name));
    const Value mode = storage_class.At("volumeBindingMode");
    if (mode.is_null()) {
      return Status::Unresolvable("VolumeBindingMode not set for StorageClass \"" + std::string(class_name) + "\"");
    }
    if (mode.AsString() == "WaitForFirstConsumer") return Status::Ok();
    return Status::Unresolvable("PersistentVolume had no name");
  }

  static std::vector<Topology> TopologiesIn(const Value& volume) {
    const Value labels = volume.Get("metadata").Get("labels");
    return TopologiesOf([&](std::string_view key) -> std::optional<std::string_view> {
      const Value value = labels.Get(key);
      return value.is_null() ? std::nullopt : std::optional(value.AsString());
    });
  }

  bool Fits(const Labels& node, const std::vector<Topology>& topologies) const {
    std::array<Id, kKeys.size()> values;
    bool any = false;
    for (size_t i = 0; i < kKeys.size(); ++i) any |= (values[i] = node.Get(keys_[i])) != kNoId;
    if (!any) return true;  // a cluster without zones
    for (const Topology& topology : topologies) {
      Id value = values[topology.key];
      // A node may have only the newer label of the volume's key, but not the other way round.
      if (value == kNoId && topology.key < kKeysOfBeta) value = values[topology.key + kKeysOfBeta];
      if (value == kNoId) return false;
      if (!std::binary_search(topology.values.begin(), topology.values.end(), host_.Text(value))) return false;
    }
    return true;
  }

  Host& host_;
  VolumeObjects objects_;
  std::array<Id, kKeys.size()> keys_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::VolumeZone);
