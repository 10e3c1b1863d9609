// The pods of a group: those that exist, have a node, or wait. Thread: [serial], except Waiting. Ownership: views are
// borrowed for the running call.
#pragma once

#include <berth/plugin.hpp>
#include <berth/pods.hpp>
#include <berth/tasks.hpp>

#include <map>
#include <new>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "groups.h"

namespace plugins::coscheduling {

using Uids = std::unordered_set<std::string_view>;

inline bool HasNode(const Pod& pod) {
  return pod.node_name() != berth::sdk::kNoId && pod.node_name() != berth::sdk::kEmptyId;
}

class Siblings {
 public:
  Siblings(const Host& host, const berth::sdk::Tasks& tasks, const Groups& groups)
      : host_(host), tasks_(tasks), groups_(groups), pods_(host) {}

  // All pods of the group that have not finished, with the pod itself.
  berth::sdk::PodList Of(const Pod& pod) const { return Of(pod.ns(), groups_.NameOf(pod)); }
  berth::sdk::PodList Of(Id ns, Id name) const { return pods_.Labeled(ns, groups_.label(), name); }

  // The UIDs of those that the API server reports on a node, and of those without a node; without the UID `but`.
  Uids Bound(Id ns, Id name, std::string_view but = "") const { return Select(ns, name, true, but); }
  Uids Pending(Id ns, Id name, std::string_view but = "") const { return Select(ns, name, false, but); }

  // The UIDs of those without scheduling gates, with the pod's own.
  std::unordered_set<std::string> Ready(const Pod& pod) const {
    std::unordered_set<std::string> uids;
    for (const Pod sibling : Of(pod)) {
      if (sibling.gates().empty()) uids.emplace(sibling.uid());
    }
    return uids;
  }

  // The UIDs of those that wait in Permit, as the host reports them, sorted by name. [any]
  std::vector<std::string> Waiting(Id ns, Id name) const {
    std::map<std::string, std::string> by_name;  // so that they are bound in this order
    bool complete = true;                        // exceptions must not pass through the host
    host_.EachWaiting([&](const Pod& pod) noexcept {
      if (pod.ns() != ns || groups_.NameOf(pod) != name) return;
      try {
        by_name.emplace(pod.name(), pod.uid());
      } catch (const std::bad_alloc&) {
        complete = false;
      }
    });
    if (!complete) throw std::bad_alloc();
    std::vector<std::string> waiting;
    for (auto& [pod_name, uid] : by_name) waiting.push_back(std::move(uid));
    return waiting;
  }

  // ActivateSiblings: moves the pods of the group that wait in the queue.
  void Activate(Id ns, Id name, std::string_view but = "") const {
    for (const Pod sibling : Of(ns, name)) {
      if (!HasNode(sibling) && sibling.uid() != but) tasks_.Activate(sibling.uid());
    }
  }

 private:
  Uids Select(Id ns, Id name, bool with_node, std::string_view but) const {
    Uids uids;
    for (const Pod sibling : Of(ns, name)) {
      if (HasNode(sibling) == with_node && sibling.uid() != but) uids.insert(sibling.uid());
    }
    return uids;
  }

  const Host& host_;
  const berth::sdk::Tasks& tasks_;
  const Groups& groups_;
  const berth::sdk::PodLister pods_;
};

}  // namespace plugins::coscheduling
