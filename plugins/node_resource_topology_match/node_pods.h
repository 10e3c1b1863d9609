// The pods of each node as the API server has them, for fingerprints. Finished pods count until they are deleted, as
// kubelets report them. Thread: [serial].
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fingerprint.h"
#include "placement.h"
#include "pod_facts.h"
#include "topology.h"

namespace plugins::node_topology {

inline bool Lists(const Topology& topology, const std::string& resource) {
  const auto same = [&resource](const auto& entry) { return entry.first == resource; };
  return std::any_of(topology.zones.begin(), topology.zones.end(), [&same](const Zone& zone) {
    return std::any_of(zone.available.begin(), zone.available.end(), same);
  });
}
// Whether the node's zones list one of the devices, or the container has other exclusive resources.
inline bool HasExclusive(const ContainerFacts& container, const Topology* topology) {
  if (container.exclusive || topology == nullptr) return container.exclusive;
  return std::any_of(container.devices.begin(), container.devices.end(),
                     [topology](const std::string& device) { return Lists(*topology, device); });
}
inline bool HasExclusive(const PodFacts& pod, const Topology* topology) {
  return std::any_of(pod.containers.begin(), pod.containers.end(),
                     [topology](const ContainerFacts& container) { return HasExclusive(container, topology); });
}

class NodePods {
 public:
  // only_running: as the scheduler's own watch, which lacks finished pods.
  explicit NodePods(bool only_running) : only_running_(only_running) {}

  void Set(PodFacts pod) {
    if (pod.node.empty()) return;
    auto& pods = by_node_[pod.node];
    std::string uid = pod.uid;
    pods.insert_or_assign(std::move(uid), std::move(pod));
  }
  void Erase(const PodFacts& pod) {
    const auto at = by_node_.find(pod.node);
    if (at == by_node_.end()) return;
    at->second.erase(pod.uid);
    if (at->second.empty()) by_node_.erase(at);
  }

  // Whether the node's kubelet has started the pod.
  bool Started(const std::string& node, const std::string& uid) const {
    const auto at = by_node_.find(node);
    if (at == by_node_.end()) return false;
    const auto pod = at->second.find(uid);
    return pod != at->second.end() && pod->second.phase != "Pending";
  }

  // Whether `is` is true for a pod of the node.
  template <class Is>
  bool Any(const std::string& node, Is&& is) const {
    const auto at = by_node_.find(node);
    if (at == by_node_.end()) return false;
    return std::any_of(at->second.begin(), at->second.end(), [&](const auto& entry) { return is(entry.second); });
  }

  // Of all pods of the node, or of those with exclusive resources.
  std::string FingerprintOf(const std::string& node, const Topology* topology, bool only_exclusive) const {
    Fingerprint fingerprint;
    ForEach(node, [&](const PodFacts& pod) {
      if (!only_exclusive || HasExclusive(pod, topology)) fingerprint.Add(pod.ns, pod.name);
    });
    return fingerprint.Text();
  }
  // The hashes of the containers with exclusive resources.
  std::vector<uint64_t> PinnedOn(const std::string& node, const Topology& topology) const {
    std::vector<uint64_t> hashes;
    ForEach(node, [&](const PodFacts& pod) {
      for (const ContainerFacts& container : pod.containers) {
        if (HasExclusive(container, &topology)) hashes.push_back(HashOfContainer(pod.ns, pod.name, container.name));
      }
    });
    return hashes;
  }

 private:
  // Calls this for each pod that counts.
  template <class Each>
  void ForEach(const std::string& node, Each&& each) const {
    const auto at = by_node_.find(node);
    if (at == by_node_.end()) return;
    for (const auto& [uid, pod] : at->second) {
      if (Counts(pod)) each(pod);
    }
  }
  bool Counts(const PodFacts& pod) const { return only_running_ ? pod.phase == "Running" : pod.phase != "Pending"; }

  const bool only_running_;
  std::unordered_map<std::string, std::unordered_map<std::string, PodFacts>> by_node_;  // node, UID
};

}  // namespace plugins::node_topology
