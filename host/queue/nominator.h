// Which node a pending pod is promised to (preemption made room there, or status.nominatedNodeName says so).
// Owned by the queue; keeps the pods as they were nominated and the ids of their nodes. Thread: the scheduling thread.
// Source: pkg/scheduler/backend/queue/nominator.go; core.md 5.9.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "api/pod.h"
#include "base/intern.h"
#include "base/result.h"

namespace berth::queue {

// The newest version of every pod of the cluster, as the source last told (kube-scheduler's informer lister).
class PodLookup {
 public:
  virtual ~PodLookup() = default;
  // key: "namespace/name". nullptr when there is no such pod; otherwise valid until the caller returns.
  virtual const api::Pod* FindPod(std::string_view key) const = 0;
};

// kNoop: the node is what the pod object says. kOverride: it is `node`; "no node" (kNoId or kEmptyId) is remembered
// too, as a nomination to "".
enum class NominatingMode : uint8_t { kNoop, kOverride };
struct NominatingInfo {
  NominatingMode mode = NominatingMode::kNoop;
  base::Id node = base::kNoId;
};

class Nominator {
 public:
  Nominator(base::InternTable& ids, const PodLookup& lookup) : ids_(ids), lookup_(lookup) {}
  ~Nominator();
  Nominator(const Nominator&) = delete;

  // Replaces an older nomination of the pod. Nothing is stored when there is no node to store, or when the pod is gone
  // or has a node already.
  void Add(const api::PodRef& pod, const NominatingInfo& info);
  // A nomination that is only in memory survives updates in which the object does not speak of one.
  void Update(const api::Pod& before, const api::PodRef& after);
  void Delete(std::string_view uid);

  bool empty() const { return by_uid_.empty(); }
  size_t size() const { return by_uid_.size(); }
  // kNoId when the pod is not nominated, kEmptyId when it is nominated to "".
  base::Id NodeOf(std::string_view uid) const;
  // fn(node) for nodes with nominated pods, "" included; in no particular order. fn must not change nominations.
  template <class Fn>
  void ForEachNode(Fn&& fn) const {
    for (const auto& [node, pods] : by_node_) fn(node);
  }
  // fn(pod as it was nominated), in order of nomination.
  template <class Fn>
  void ForEachOn(base::Id node, Fn&& fn) const {
    const auto at = by_node_.find(node);
    if (at == by_node_.end()) return;
    for (const Entry* entry : at->second) fn(entry->pod);
  }
  base::Result<void> Check() const;

 private:
  struct Entry {
    api::PodRef pod;
    base::Id node;  // owned
  };
  base::InternTable& ids_;
  const PodLookup& lookup_;
  std::map<std::string, Entry, std::less<>> by_uid_;
  std::unordered_map<base::Id, std::vector<const Entry*>> by_node_;  // no empty lists
};

}  // namespace berth::queue
