// Cluster events: what happened to which kind of object, as kube-scheduler's queue names it.
// Source: k8s.io/kube-scheduler/framework/types.go, pkg/scheduler/framework/events.go; core.md 5.7. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "berth/plugin.h"

namespace berth::api {

inline constexpr std::string_view kResourcePod = "Pod";
inline constexpr std::string_view kResourceAssignedPod = "AssignedPod";
inline constexpr std::string_view kResourceUnschedulablePod = "UnschedulablePod";
inline constexpr std::string_view kResourceNode = "Node";
inline constexpr std::string_view kResourceAny = "*";

struct ClusterEvent {
  std::string_view resource;  // one of the constants, or a registered resource's name that outlives the event
  uint32_t actions = 0;       // BERTH_ACTION_*
  std::string_view label;     // fixed label ("UnschedulableTimeout"); "" = made of resource and actions

  std::string Label() const;  // "NodeAdd", "NodeUpdateNodeTaint", "AssignedPodDelete", ...
  bool IsWildcard() const { return resource == kResourceAny && actions == BERTH_ACTION_ALL; }
};

// Does a registration match an incoming event? Resource equal (Pod also means its two variants), bits intersect, and
// incoming.actions <= registered.actions as numbers.
bool EventMatches(std::string_view resource, uint32_t actions, const ClusterEvent& incoming);

// The moves that one update causes, in upstream's order; empty when nothing relevant changed.
std::vector<ClusterEvent> NodeUpdateEvents(const Node& before, const Node& after);
// Never empty: a generic Update when nothing specific changed. Resource by whether `after` has a node.
std::vector<ClusterEvent> PodUpdateEvents(const Vocabulary& words, const Pod& before, const Pod& after);

}  // namespace berth::api
