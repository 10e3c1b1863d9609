// Passes objects from manifests to the simulated API server. Thread: one. Ownership: the caller owns the cluster.
#pragma once

#include "scheduler/objects/kind.h"
#include "simulator/manifests/manifest_loader.h"
#include "simulator/simulation/virtual_cluster.h"

namespace berth::simulation {

class ManifestFeed final : public manifests::Listener {
 public:
  explicit ManifestFeed(Cluster& cluster) : cluster_(cluster) {}
  void SetNode(api::NodeRef node) override { cluster_.SetNode(std::move(node)); }
  void SetPod(api::PodRef pod) override { cluster_.SetPod(std::move(pod)); }
  void RemoveNode(std::string_view name) override { cluster_.RemoveNode(name); }
  void RemovePod(std::string_view key) override { cluster_.RemovePod(key); }
  bool NeedsObjects(std::string_view api_version, std::string_view kind) override {
    return cluster_.KindOf(api_version, objects::ResourceOf(kind)) != 0;
  }
  bool SetObject(std::string_view api_version, std::string_view kind, json::Value object) override {
    if (NodeMetrics::IsKind(api_version, kind)) return cluster_.node_metrics().Set(std::move(object)), true;
    const objects::KindId id = cluster_.KindOf(api_version, objects::ResourceOf(kind));
    return id != 0 && cluster_.SetObject(id, std::move(object));
  }
  bool RemoveObject(std::string_view api_version, std::string_view kind, std::string_view key) override {
    if (NodeMetrics::IsKind(api_version, kind)) return cluster_.node_metrics().Remove(key), true;
    const objects::KindId id = cluster_.KindOf(api_version, objects::ResourceOf(kind));
    if (id != 0) cluster_.RemoveObject(id, key);
    return id != 0;
  }

 private:
  Cluster& cluster_;
};

}  // namespace berth::simulation
