// What the queue asks of the profiles' plugins, and what it tells whoever counts. Both are abstract: the framework and
// the metrics implement them. All calls come on the scheduling thread, and none may call the queue back.
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
#include "queue/event_objects.h"
#include "queue/queued_pod.h"

namespace berth::queue {

// One event that a plugin registered. `interest` is the plugin's own number of it (berth_event.interest).
struct Registration {
  base::Id plugin = base::kNoId;
  std::string resource;  // "Node", "Pod", "*", ...
  uint32_t actions = 0;  // BERTH_ACTION_*
  uint32_t interest = 0;
  bool has_hint = false;  // without a hint every such event is worth a retry
};

// The registrations of a profile, in the order of its plugins; what upstream adds silently (UpdateNodeTaint for plugins
// that registered NodeAdd; everything for plugins that register nothing) is included by the policy.
struct ProfileRegistrations {
  base::Id profile = base::kNoId;  // schedulerName
  std::vector<Registration> registrations;
};

struct PreEnqueueVerdict {
  base::Id plugin = base::kNoId;  // the first plugin that said no; kNoId = all let the pod pass
  int32_t code = BERTH_SUCCESS;   // its berth_status
  std::string message;
};

// One plugin is asked about one event, for all the pods it may concern.
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

  // The profiles' QueueSort (kube-scheduler demands the same one in all): a before b.
  virtual bool Less(const QueuedPod& a, const QueuedPod& b) = 0;

  // Runs the PreEnqueue plugins of the pod's profile until one says no; `first` is asked before the others (kNoId, or a
  // name that the profile no longer has: no preference). A profile that nobody knows lets the pod pass.
  virtual PreEnqueueVerdict PreEnqueue(const api::Pod& pod, base::Id first) = 0;

  // Every profile, also those without registrations. Asked at construction and by
  // SchedulingQueue::RebuildRegistrations.
  virtual std::vector<ProfileRegistrations> Registrations() const = 0;

  // queue[i] arrives 0 and is to be set to 1 when the event may make pods[i] schedulable. Whatever is returned but
  // BERTH_SUCCESS counts as 1 for all of them.
  virtual int32_t Hints(const HintRequest& request, std::span<uint8_t> queue) = 0;
};

// Told of what kube-scheduler counts (core.md 8) and logs; every call may be left empty.
class QueueObserver {
 public:
  virtual ~QueueObserver() = default;
  // scheduler_queue_incoming_pods_total{queue, event}
  virtual void Incoming(const QueuedPod&, Place, std::string_view /*event*/) {}
  // scheduler_unschedulable_pods{plugin, profile} += delta
  virtual void UnschedulableReason(base::Id /*plugin*/, base::Id /*profile*/, int /*delta*/) {}
  // scheduler_inflight_events{event} += delta; nullptr stands for the event PodPopped
  virtual void InFlightEvents(const api::ClusterEvent*, int /*delta*/) {}
  // A popped pod was dropped because the same pod is already in flight.
  virtual void Discarded(const QueuedPod&) {}
};

}  // namespace berth::queue
