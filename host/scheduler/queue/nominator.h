// The nominated nodes of pending pods: a pod's nomination comes from preemption or from its status.nominatedNodeName.
// Owned by the queue. Keeps the pods as they were when nominated, and the ids of their nodes. Thread: the scheduling
// thread.
// Source: pkg/scheduler/backend/queue/nominator.go.
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

// Looks up the newest version of a pod of the cluster, as kube-scheduler's informer lister does.
class PodLookup {
 public:
  virtual ~PodLookup() = default;
  // key: "namespace/name". nullptr if there is no such pod. The result is valid until the caller returns.
  virtual const api::Pod* FindPod(std::string_view key) const = 0;
};

// kNoop: the nominated node is the one in the pod object. kOverride: it is `node`; kNoId and kEmptyId are stored as a
// nomination to "".
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

  // Replaces an older nomination of the pod. Stores nothing if there is no node to store, if the pod no longer exists,
  // or if the pod already has a node.
  void Add(const api::PodRef& pod, const NominatingInfo& info);
  // Keeps a nomination that is only in memory if neither version of the pod names a nominated node.
  void Update(const api::Pod& before, const api::PodRef& after);
  void Delete(std::string_view uid);

  bool empty() const { return by_uid_.empty(); }
  size_t size() const { return by_uid_.size(); }
  // kNoId if the pod is not nominated, kEmptyId if it is nominated to "".
  base::Id NodeOf(std::string_view uid) const;
  // Calls fn(node) for every node with nominated pods, "" included, in no particular order. fn must not change
  // nominations.
  template <class Fn>
  void ForEachNode(Fn&& fn) const {
    for (const auto& [node, pods] : by_node_) fn(node);
  }
  // Calls fn with each pod nominated to the node, as it was when nominated, in order of nomination.
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
