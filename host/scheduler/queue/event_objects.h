// The objects of a cluster event, and the events that the queue itself causes.
// Ownership: an event that waits for an in-flight pod keeps its objects alive. Thread: the scheduling thread.
// Source: pkg/scheduler/backend/queue/active_queue.go clusterEvent, pkg/scheduler/framework/events.go.
#pragma once

#include <memory>
#include <string_view>

#include "api/events.h"
#include "api/node.h"
#include "api/pod.h"
#include "berth/plugin.h"

namespace berth::json {
class Value;
}

namespace berth::queue {

// The objects of one kind at most. Null: no such object (an Add has no old object, a Delete has no new one).
struct EventObjects {
  api::PodRef old_pod, new_pod;
  api::NodeRef old_node, new_node;
  std::shared_ptr<const json::Value> old_value, new_value;  // for every other resource
};

// Labels that have no cluster event.
inline constexpr std::string_view kScheduleAttemptFailure = "ScheduleAttemptFailure";
inline constexpr std::string_view kBackoffComplete = "BackoffComplete";
inline constexpr std::string_view kPopFromBackoffQ = "PopFromBackoffQ";
inline constexpr std::string_view kForceActivate = "ForceActivate";
inline constexpr std::string_view kUnschedulableTimeout = "UnschedulableTimeout";
inline constexpr std::string_view kPolicyChange = "PolicyChange";
// Labels of {UnschedulablePod, Add} and {UnschedulablePod, Update}.
inline constexpr std::string_view kUnscheduledPodAdd = "UnschedulablePodAdd";
inline constexpr std::string_view kUnscheduledPodUpdate = "UnschedulablePodUpdate";

inline constexpr api::ClusterEvent kEventForceActivate{api::kResourceAny, BERTH_ACTION_ALL, kForceActivate};
inline constexpr api::ClusterEvent kEventUnschedulableTimeout{api::kResourceAny, BERTH_ACTION_ALL,
                                                              kUnschedulableTimeout};
inline constexpr api::ClusterEvent kEventPolicyChange{api::kResourceAny, BERTH_ACTION_ALL, kPolicyChange};

}  // namespace berth::queue
