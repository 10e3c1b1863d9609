// The scheduling queue. It decides which pending pod is tried next, and when a rejected pod is tried again.
//
// Thread: the scheduling thread owns the queue, so there is no lock. The queue never blocks: Pop returns null if no pod
// is ready, and NextTimer returns when a timer makes one ready. Wall-clock time comes from base::Clock. The queue calls
// plugins through QueuePolicy. Unlike upstream, it has no condition variable, no pod groups, and no code for a disabled
// gate SchedulerQueueingHints, which is locked on.
// Source: pkg/scheduler/backend/queue/scheduling_queue.go, active_queue.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "api/events.h"
#include "api/intern_tables.h"
#include "api/pod.h"
#include "base/clock.h"
#include "base/key_table.h"
#include "base/result.h"
#include "scheduler/queue/backoff.h"
#include "scheduler/queue/event_objects.h"
#include "scheduler/queue/in_flight.h"
#include "scheduler/queue/nominator.h"
#include "scheduler/queue/parked_pods.h"
#include "scheduler/queue/pod_heap.h"
#include "scheduler/queue/queue_policy.h"
#include "scheduler/queue/queued_pod.h"
#include "scheduler/queue/requeue_evaluator.h"
#include "scheduler/queue/step_back.h"

namespace berth::queue {

struct QueueOptions {
  int64_t pod_initial_backoff_ns = 1 * base::kSecond;              // podInitialBackoffSeconds
  int64_t pod_max_backoff_ns = 10 * base::kSecond;                 // podMaxBackoffSeconds; 0: no backoff
  int64_t pod_max_in_unschedulable_pods_ns = 300 * base::kSecond;  // --pod-max-in-unschedulable-pods-duration
  bool pop_from_backoff_q = true;                                  // gate SchedulerPopFromBackoffQ
};

// scheduler_pending_pods{queue}
struct QueueCounts {
  size_t active = 0, backoff = 0, unschedulable = 0, gated = 0;
};

struct PendingPods {
  std::vector<const QueuedPod*> pods;  // active, backoff, unschedulable; valid until the queue is used again
  std::string summary;                 // "activeQ:1; backoffQ:0; unschedulablePods:2"
};

class SchedulingQueue {
 public:
  // All arguments must outlive the queue. Drop every QueuedPodPtr before the queue. observer may be null.
  SchedulingQueue(api::InternTables& intern, const base::Clock& clock, QueuePolicy& policy, const PodLookup& lookup,
                  const QueueOptions& options = {}, QueueObserver* observer = nullptr);
  ~SchedulingQueue();
  SchedulingQueue(const SchedulingQueue&) = delete;

  // ---- events of pending pods (pkg/scheduler/eventhandlers.go decides which pods, and when)
  void Add(const api::PodRef& pod);
  void Update(const api::PodRef& before, const api::PodRef& after);
  void Delete(const api::Pod& pod);

  // ---- attempts
  // Returns the next pod to try, which is now in flight; null if none is ready. With SchedulerPopFromBackoffQ, if no
  // pod is active, it takes a pod from podBackoffQ before its backoff is over.
  QueuedPodPtr Pop();
  // Records that an attempt of a pod of this profile occupied the scheduling thread for held_ns, until now.
  void NoteHeld(base::Id profile, int64_t held_ns);
  // The attempt of a popped pod ended, or can no longer end in AddUnschedulableIfNotPresent. Idempotent.
  void Done(std::string_view uid);
  // Takes back a popped pod whose attempt failed; the caller has set its rejector plugins. The pod is no longer in
  // flight. Returns the place where it waits. Error: another pod with the same name is queued (upstream's text); the
  // queue then drops this one.
  base::Result<Place> AddUnschedulableIfNotPresent(QueuedPodPtr pod);
  // Makes waiting pods active at once. Records the request for pods in flight. Ignores unknown pods.
  void Activate(std::span<const api::PodRef> pods);

  // ---- events of all other objects
  // Whether the event could move any pod. If not, the caller need not prepare its objects.
  bool Interested(const api::ClusterEvent& event) { return evaluator_.Interested(event); }
  // Moves the unschedulable pods that the event may help. pre_check selects the pods to consider; empty: all. Pods in
  // flight are evaluated with the event when their attempt fails.
  using PreCheck = std::function<bool(const api::Pod&)>;
  void MoveAllToActiveOrBackoffQueue(const api::ClusterEvent& event, const EventObjects& objects,
                                     const PreCheck& pre_check = {});

  // ---- timers; now is unix ns
  void FlushDue(int64_t now);  // both; the second as of its last tick
  void FlushBackoffCompleted(int64_t now);
  void FlushUnschedulableLeftover(int64_t now);
  // The first tick at which a flush finds a pod that is due; call FlushDue then. Ticks are whole seconds for backoff,
  // and every 30 s from the construction of the queue for unschedulable pods. May be in the past. nullopt: no pod
  // becomes due by time alone.
  std::optional<int64_t> NextTimer() const;

  // ---- nominations
  void AddNominatedPod(const api::PodRef& pod, const NominatingInfo& info) { nominator_.Add(pod, info); }
  void UpdateNominatedPod(const api::Pod& before, const api::PodRef& after) { nominator_.Update(before, after); }
  void DeleteNominatedPodIfExists(std::string_view uid) { nominator_.Delete(uid); }
  // Replaces `out` by the pods nominated to a node, in order of nomination, in the queue's newest version. A pod that
  // is not queued has only its namespace, name, and UID, as upstream: its priority is 0 and it requests nothing.
  void NominatedPodsForNode(base::Id node, std::vector<api::PodRef>& out);
  const Nominator& nominator() const { return nominator_; }

  // ---- changes of the policy
  // Reads the registrations again. Call ResortActive too if the QueueSort plugin changed.
  void RebuildRegistrations() { evaluator_.Rebuild(); }
  // Sorts activeQ and the ties of podBackoffQ again, after the order of QueueSort changed for any pods.
  void ResortActive();
  // Retries the pods that a changed plugin rejected or gates, after their backoff; pods in flight when they are
  // rejected. changed(profile, plugin) returns whether the plugin changed.
  void RetryRejectedBy(const std::function<bool(base::Id, base::Id)>& changed);
  // Sets the backoff of pods that fail after this call.
  void SetBackoff(int64_t initial_ns, int64_t max_ns);
  // Removes all pods from the in-flight list.
  void Close() { in_flight_.DoneAll(); }

  // ---- inspection
  int64_t scheduling_cycle() const { return scheduling_cycle_; }  // how many pods were popped
  QueueCounts counts() const;
  const InFlightList& in_flight() const { return in_flight_; }
  // key: "namespace/name". nullptr if the pod is not queued.
  const QueuedPod* Find(std::string_view key) const { return by_key_.Find(key); }
  PendingPods Pending() const;
  // Of the last failed attempts of the pending pods; the failure handler adds to it.
  RejectionCounts& rejections() { return rejections_; }

  // Verifies every structure. The error names the inconsistency. O(n).
  base::Result<void> Check() const;

 private:
  struct ActiveLess {
    QueuePolicy* policy;
    const StepBack* step_back;
    bool operator()(const QueuedPod& a, const QueuedPod& b) const {
      if (step_back->any()) [[unlikely]] {
        const bool a_waits = step_back->Has(a.profile()), b_waits = step_back->Has(b.profile());
        if (a_waits != b_waits) return b_waits;
      }
      return policy->Less(a, b);
    }
  };

  void RunPreEnqueue(QueuedPod& pod);
  // Returns false if the pod is gated. The pod is then parked, or dropped if a pod with the same name is active or
  // backing off.
  bool MoveToActive(QueuedPod& pod, std::string_view event, bool from_backoff);
  bool MoveToBackoff(QueuedPod& pod, std::string_view event);
  Place Requeue(QueuedPod& pod, Strategy strategy, std::string_view event);
  void Park(QueuedPod& pod, std::string_view event);
  Strategy EvaluateInFlight(QueuedPod& pod);
  // Notes why the pod is tried again. event: a constant, or from LabelOf.
  void Wake(QueuedPod& pod, std::string_view event, base::Id plugin = base::kNoId);
  std::string_view LabelOf(const api::ClusterEvent& event);  // lives as long as the queue
  bool ActivateOne(const api::Pod& pod);
  void UpdateParked(QueuedPod& pod, const api::PodRef& before, const api::PodRef& after);
  void MoveParked(const api::ClusterEvent& event, const EventObjects& objects, const RequeueEvaluator::Filter& filter);

  // Removes the pod from its place but not from by_key_.
  void Leave(QueuedPod& pod);
  void MakeKnown(QueuedPod& pod);
  // Removes the pod from the queue.
  QueuedPodPtr Release(QueuedPod& pod);
  void CountRejectors(const QueuedPod& pod, int delta);
  api::PodRef BarePod(const api::Pod& pod);

  base::Result<void> CheckHeaps() const;
  base::Result<void> CheckKeys() const;

  api::InternTables& intern_;
  const base::Clock& clock_;
  QueuePolicy& policy_;
  const QueueOptions options_;
  QueueObserver silent_;
  QueueObserver& observer_;
  const int64_t born_;  // unix ns; the origin of the ticks

  RejectionCounts rejections_;
  PodPool pool_;
  base::KeyTable<QueuedPod, QueuedPodKey> by_key_;  // every queued pod
  StepBack step_back_;
  PodHeap<ActiveLess> active_;
  BackoffRule backoff_rule_;
  BackoffQueue backoff_;
  ParkedPods parked_;
  RequeueEvaluator evaluator_;
  InFlightList in_flight_;
  Nominator nominator_;
  int64_t scheduling_cycle_ = 0;
  std::unordered_set<std::string> labels_;  // of events: as many as the plugins and the host register
  std::vector<QueuedPod*> completed_;       // scratch of FlushBackoffCompleted
  api::PodRef empty_pod_;                   // the template of BarePod; created at the first use
};

}  // namespace berth::queue
