// Rejects nodes to which a pod is on its way. Source: pkg/noderesourcetopology/cache/discardreserved.go of
// kubernetes-sigs/scheduler-plugins. Thread: [serial].
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "cache.h"

namespace plugins::node_topology {

class DiscardReserved : public Cache {
 public:
  using Cache::Cache;

  bool follows() const override { return true; }
  void Reserve(const Traveler& pod, const berth::sdk::Pod&) override {
    travelers_[pod.node].insert(pod.uid);
    nodes_.SetStale(pod.node, true);
  }
  void Release(const Traveler& pod) override {
    const auto at = travelers_.find(pod.node);
    if (at == travelers_.end()) return;
    at->second.erase(pod.uid);
    if (!at->second.empty()) return;
    travelers_.erase(at);
    nodes_.SetStale(pod.node, false);
  }
  void Bound(const Traveler& pod) override { Release(pod); }

 private:
  std::unordered_map<std::string, std::unordered_set<std::string>> travelers_;  // UIDs by node
};

}  // namespace plugins::node_topology
