// What the controllers beside the API server do about volumes when a scheduler has written something: a volume whose
// claimRef names a claim binds that claim, and a claim with a selected node for which no volume is meant is provisioned
// and bound, both at once. Claims and volumes that come with the manifests are left as they are. Source:
// pkg/controller/volume/persistentvolume/pv_controller.go, k8s.io/component-helpers/storage/volume/pv_helpers.go.
// Thread: one request at a time. Ownership: the cluster outlives it.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "simulate/cluster.h"

namespace berth::simulate {

class VolumeController {
 public:
  explicit VolumeController(Cluster& cluster) : cluster_(cluster) {}
  // A scheduler has changed an object of the core group; resource: "persistentvolumes", ... Others are not looked at.
  void Changed(std::string_view resource, const objects::Object& object);

 private:
  void VolumeChanged(const json::Value& volume);
  void ClaimChanged(const json::Value& claim);
  void Bind(json::Value volume, json::Value claim);
  // A volume for the claim on its selected node; null when the class provisions none, or not for a consumer.
  json::Value Provision(const json::Value& claim) const;
  // The topology of the selected node as the driver there reports it, for the volume's nodeAffinity; null without one.
  json::Value TopologyOf(const std::string& driver, const std::string& node) const;
  json::Value Find(std::string_view api_version, std::string_view resource, const std::string& key) const;

  Cluster& cluster_;
};

}  // namespace berth::simulate
