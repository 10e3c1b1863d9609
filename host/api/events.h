// Cluster events: an action on a kind of object, with the names that kube-scheduler's queue uses. Source:
// k8s.io/kube-scheduler/framework/types.go, pkg/scheduler/framework/events.go. Thread: any.
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
  // one of the constants, or the name of a registered resource, which must outlive the event
  std::string_view resource;
  uint32_t actions = 0;    // BERTH_ACTION_*
  std::string_view label;  // fixed label ("UnschedulableTimeout"); "": built from resource and actions

  std::string Label() const;  // "NodeAdd", "NodeUpdateNodeTaint", "AssignedPodDelete", ...
  bool IsWildcard() const { return resource == kResourceAny && actions == BERTH_ACTION_ALL; }
};

// Whether a registration matches an incoming event: the resource is equal (Pod also matches its two variants), the bits
// intersect, and incoming.actions <= registered.actions as numbers.
bool EventMatches(std::string_view resource, uint32_t actions, const ClusterEvent& incoming);

// The events that one update causes, in upstream's order; empty if no relevant field changed.
std::vector<ClusterEvent> NodeUpdateEvents(const Node& before, const Node& after);
// Never empty: a generic Update if no specific field changed. The resource depends on whether `after` has a node.
std::vector<ClusterEvent> PodUpdateEvents(const InternTables& intern, const Pod& before, const Pod& after);

}  // namespace berth::api
