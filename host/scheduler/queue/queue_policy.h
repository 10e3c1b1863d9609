// The interfaces through which the queue calls the profiles' plugins and reports what it counts. The framework and the
// metrics implement them. The queue makes all calls on the scheduling thread. No call may use the queue.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/events.h"
#include "api/pod.h"
#include "base/intern.h"
#include "berth/plugin.h"
#include "scheduler/queue/event_objects.h"
#include "scheduler/queue/queued_pod.h"

namespace berth::queue {

// One event that a plugin registered. `interest` is the plugin's own number for it (berth_event.interest).
struct Registration {
  base::Id plugin = base::kNoId;
  std::string resource;  // "Node", "Pod", "*", ...
  uint32_t actions = 0;  // BERTH_ACTION_*
  uint32_t interest = 0;
  bool has_hint = false;  // false: every such event causes a retry
};

// The registrations of a profile, in the order of its plugins. The policy also includes what upstream adds by itself:
// UpdateNodeTaint for plugins that registered NodeAdd, and all events for plugins that register none.
struct ProfileRegistrations {
  base::Id profile = base::kNoId;  // schedulerName
  std::vector<Registration> registrations;
};

struct PreEnqueueVerdict {
  base::Id plugin = base::kNoId;  // the first plugin that rejected the pod; kNoId: no plugin rejected it
  int32_t code = BERTH_SUCCESS;   // its berth_status
  std::string message;
};

// One question to one plugin about one event, for all the pods that the event may concern.
struct HintRequest {
  base::Id profile, plugin;
  uint32_t interest;
  const api::ClusterEvent& event;
  const EventObjects& objects;
  std::span<const berth_pod* const> pods;
};

class QueuePolicy {
 public:
  virtual ~QueuePolicy() = default;

  // The order of QueueSort: true if `a` is before `b`. All profiles have the same QueueSort plugin, as in
  // kube-scheduler.
  virtual bool Less(const QueuedPod& a, const QueuedPod& b) = 0;

  // Runs the PreEnqueue plugins of the pod's profile until one rejects the pod. `first` runs before the others; kNoId
  // or a name that is not in the profile has no effect. An unknown profile does not reject the pod.
  virtual PreEnqueueVerdict PreEnqueue(const api::Pod& pod, base::Id first) = 0;

  // The registrations of every profile, also of profiles without any. The queue calls it at construction and in
  // SchedulingQueue::RebuildRegistrations.
  virtual std::vector<ProfileRegistrations> Registrations() const = 0;

  // Sets queue[i] to 1 if the event may make pods[i] schedulable; the caller initializes all elements to 0. Any return
  // value other than BERTH_SUCCESS counts as 1 for all pods.
  virtual int32_t Hints(const HintRequest& request, std::span<uint8_t> queue) = 0;
};

// Receives what kube-scheduler logs and counts in its metrics. The default of every function does nothing.
class QueueObserver {
 public:
  virtual ~QueueObserver() = default;
  // scheduler_queue_incoming_pods_total{queue, event}
  virtual void Incoming(const QueuedPod&, Place, std::string_view /*event*/) {}
  // scheduler_unschedulable_pods{plugin, profile} += delta
  virtual void UnschedulableReason(base::Id /*plugin*/, base::Id /*profile*/, int /*delta*/) {}
  // scheduler_inflight_events{event} += delta; nullptr: the event PodPopped
  virtual void InFlightEvents(const api::ClusterEvent*, int /*delta*/) {}
  // scheduler_queueing_hint_execution_duration_seconds{plugin, event, hint}: one call for n_pods pods, n_queue of which
  // the plugin wants to retry. failed: the call failed, so all of them are retried.
  virtual void HintAsked(base::Id /*plugin*/, const api::ClusterEvent&, size_t /*n_pods*/, size_t /*n_queue*/,
                         bool /*failed*/, int64_t /*ns*/) {}
  // The queue dropped a popped pod because the same pod is already in flight.
  virtual void Discarded(const QueuedPod&) {}
};

}  // namespace berth::queue
