// The pods of each node as the API server has them, for fingerprints. Finished pods count until they are deleted, as
// kubelets report them. Thread: [serial].
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "fingerprint.h"
#include "pod_facts.h"
#include "topology.h"

namespace plugins::node_topology {

// Whether the node's zones list one of the devices, or the pod has other resources for itself.
inline bool HasExclusive(const PodFacts& pod, const Topology* topology) {
  if (pod.exclusive) return true;
  if (topology == nullptr) return false;
  for (const Zone& zone : topology->zones) {
    for (const auto& [name, available] : zone.available) {
      for (const std::string& device : pod.devices) {
        if (device == name) return true;
      }
    }
  }
  return false;
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

  // Whether a pod of the node is so.
  template <class Is>
  bool Any(const std::string& node, Is&& is) const {
    const auto at = by_node_.find(node);
    if (at == by_node_.end()) return false;
    return std::any_of(at->second.begin(), at->second.end(), [&](const auto& entry) { return is(entry.second); });
  }

  // Of all pods of the node, or of those with exclusive resources.
  std::string FingerprintOf(const std::string& node, const Topology* topology, bool only_exclusive) const {
    Fingerprint fingerprint;
    if (const auto at = by_node_.find(node); at != by_node_.end()) {
      for (const auto& [uid, pod] : at->second) {
        if (!Counts(pod)) continue;
        if (!only_exclusive || HasExclusive(pod, topology)) fingerprint.Add(pod.ns, pod.name);
      }
    }
    return fingerprint.Text();
  }

 private:
  bool Counts(const PodFacts& pod) const { return only_running_ ? pod.phase == "Running" : pod.phase != "Pending"; }

  const bool only_running_;
  std::unordered_map<std::string, std::unordered_map<std::string, PodFacts>> by_node_;  // node, UID
};

}  // namespace plugins::node_topology
