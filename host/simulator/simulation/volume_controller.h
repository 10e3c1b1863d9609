// The volume controllers' reaction to the scheduler's writes: a volume whose claimRef names a claim binds that claim,
// and a claim with a selected node but no volume is provisioned and bound, both at once. Claims and volumes from the
// manifests do not change. Source: pkg/controller/volume/persistentvolume/pv_controller.go,
// k8s.io/component-helpers/storage/volume/pv_helpers.go. Thread: one request at a time. Ownership: the cluster must
// outlive it.
#pragma once

#include <string>
#include <string_view>

#include "codec/json/value.h"
#include "simulator/simulation/virtual_cluster.h"

namespace berth::simulation {

class VolumeController {
 public:
  explicit VolumeController(Cluster& cluster) : cluster_(cluster) {}
  // Handles a change of an object of the core group by a scheduler. resource: "persistentvolumes", ... Ignores other
  // resources.
  void Changed(std::string_view resource, const objects::Object& object);

 private:
  void VolumeChanged(const json::Value& volume);
  void ClaimChanged(const json::Value& claim);
  void Bind(json::Value volume, json::Value claim);
  // A volume for the claim on its selected node; null if the class provisions none, or not for a consumer.
  json::Value Provision(const json::Value& claim) const;
  // The topology of the selected node as its driver reports it, for the volume's nodeAffinity; null if there is none.
  json::Value TopologyOf(const std::string& driver, const std::string& node) const;
  json::Value Find(std::string_view api_version, std::string_view resource, const std::string& key) const;

  Cluster& cluster_;
};

}  // namespace berth::simulation
