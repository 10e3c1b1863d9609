// The scheduling queue: which pending pod is tried next, and when a rejected one is tried again.
//
// Thread: the scheduling thread owns it; there is no lock. It never waits: Pop answers null when nobody is ready, and
// NextTimer says when a timer will change that. Wall-clock time comes from base::Clock. Plugins are asked through
// QueuePolicy. Differences from upstream are in what it does not need: no condition variable, no pod groups, and none
// of the code for SchedulerQueueingHints off (the gate is locked on). Source:
// pkg/scheduler/backend/queue/scheduling_queue.go, active_queue.go; core.md 5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/events.h"
#include "api/pod.h"
#include "api/vocabulary.h"
#include "base/clock.h"
#include "base/result.h"
#include "queue/backoff.h"
#include "queue/event_objects.h"
#include "queue/in_flight.h"
#include "queue/key_table.h"
#include "queue/nominator.h"
#include "queue/parked_pods.h"
#include "queue/pod_heap.h"
#include "queue/policy.h"
#include "queue/queued_pod.h"
#include "queue/requeue_judge.h"
#include "queue/step_back.h"

namespace berth::queue {

struct QueueOptions {
  int64_t pod_initial_backoff_ns = 1 * base::kSecond;              // podInitialBackoffSeconds
  int64_t pod_max_backoff_ns = 10 * base::kSecond;                 // podMaxBackoffSeconds; 0 = no backoff
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
  // Everything passed in must outlive the queue, and so must every QueuedPodPtr be dropped before it. observer may be
  // null.
  SchedulingQueue(api::Vocabulary& words, const base::Clock& clock, QueuePolicy& policy, const PodLookup& lookup,
                  const QueueOptions& options = {}, QueueObserver* observer = nullptr);
  ~SchedulingQueue();
  SchedulingQueue(const SchedulingQueue&) = delete;

  // ---- what the cluster says about pending pods (core.md 6.4 says which pods and when)
  void Add(const api::PodRef& pod);
  void Update(const api::PodRef& before, const api::PodRef& after);
  void Delete(const api::Pod& pod);

  // ---- attempts
  // The next pod to try, in flight from now on; null when none is ready. With SchedulerPopFromBackoffQ and no active
  // pod, pods that plugins rejected are taken before their backoff is over.
  QueuedPodPtr Pop();
  // An attempt for a pod of this profile has held the scheduling thread for so long, until now.
  void NoteHeld(base::Id profile, int64_t held_ns);
  // The attempt of a popped pod can no longer come back by AddUnschedulableIfNotPresent, or never will. Idempotent.
  void Done(std::string_view uid);
  // Takes back a popped pod whose attempt failed, with its rejector plugins filled in, and says where it waits now.
  // Ends its flight in any case. Error: another pod of that name is queued (upstream's text); then this one is dropped.
  base::Result<Place> AddUnschedulableIfNotPresent(QueuedPodPtr pod);
  // Makes waiting pods active at once; for those in flight it is remembered. Unknown ones are ignored.
  void Activate(std::span<const api::PodRef> pods);

  // ---- what the cluster says about everything else
  // Could the event move any pod? Lets the caller skip making its objects.
  bool Interested(const api::ClusterEvent& event) { return judge_.Interested(event); }
  // Moves the unschedulable pods that the event may help; pre_check (empty = all) says which may be looked at. Pods in
  // flight get to know the event when they come back.
  using PreCheck = std::function<bool(const api::Pod&)>;
  void MoveAllToActiveOrBackoffQueue(const api::ClusterEvent& event, const EventObjects& objects,
                                     const PreCheck& pre_check = {});

  // ---- timers; now is unix ns
  void FlushDue(int64_t now);  // both, the second as of its last tick
  void FlushBackoffCompleted(int64_t now);
  void FlushUnschedulableLeftover(int64_t now);
  // The first tick at which a flush will find a pod that is due: whole seconds for backoff, every 30 s from the queue's
  // birth for unschedulable pods. Call FlushDue then. nullopt: time alone will change nothing. May be in the past.
  std::optional<int64_t> NextTimer() const;

  // ---- nominations
  void AddNominatedPod(const api::PodRef& pod, const NominatingInfo& info) { nominator_.Add(pod, info); }
  void UpdateNominatedPod(const api::Pod& before, const api::PodRef& after) { nominator_.Update(before, after); }
  void DeleteNominatedPodIfExists(std::string_view uid) { nominator_.Delete(uid); }
  // Replaces out by the pods nominated to a node, in order of nomination, as the queue knows them now. Of a pod that is
  // not queued only namespace, name and UID are known, as upstream: its priority is 0 and it requests nothing.
  void NominatedPodsForNode(base::Id node, std::vector<api::PodRef>& out);
  const Nominator& nominator() const { return nominator_; }

  // ---- plugins were exchanged
  // Reads the registrations anew. Call ResortActive as well when the QueueSort plugin changed.
  void RebuildRegistrations() { judge_.Rebuild(); }
  // The order of QueueSort changed for any pods: activeQ and the ties of podBackoffQ are put in order again.
  void ResortActive();
  // Tries pods again that a plugin rejected or gates which now judges otherwise, after their backoff; those in flight
  // will be, when they come back rejected. changed(profile, plugin).
  void RetryRejectedBy(const std::function<bool(base::Id, base::Id)>& changed);
  // The backoff of pods that fail from now on.
  void SetBackoff(int64_t initial_ns, int64_t max_ns);
  // Ends all flights.
  void Close() { in_flight_.DoneAll(); }

  // ---- looking
  int64_t scheduling_cycle() const { return scheduling_cycle_; }  // how many pods were popped
  QueueCounts counts() const;
  const InFlightList& in_flight() const { return in_flight_; }
  // key: "namespace/name". nullptr when it is not queued.
  const QueuedPod* Find(std::string_view key) const { return by_key_.Find(key); }
  PendingPods Pending() const;
  // Verifies every structure; the error names what is wrong. O(n).
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
  // False when the pod is gated; then it is parked, or dropped because one of its name is active or backing off.
  bool MoveToActive(QueuedPod& pod, std::string_view event, bool from_backoff);
  bool MoveToBackoff(QueuedPod& pod, std::string_view event);
  Place Requeue(QueuedPod& pod, Strategy strategy, std::string_view event);
  void Park(QueuedPod& pod, std::string_view event);
  Strategy JudgeInFlight(const QueuedPod& pod);
  bool ActivateOne(const api::Pod& pod);
  void UpdateParked(QueuedPod& pod, const api::PodRef& before, const api::PodRef& after);
  void MoveParked(const api::ClusterEvent& event, const EventObjects& objects, const RequeueJudge::Filter& filter);

  // The pod leaves its place but stays known by its key.
  void Leave(QueuedPod& pod);
  void MakeKnown(QueuedPod& pod);
  // The pod leaves the queue.
  QueuedPodPtr Release(QueuedPod& pod);
  void CountRejectors(const QueuedPod& pod, int delta);
  api::PodRef BarePod(const api::Pod& pod);

  base::Result<void> CheckHeaps() const;
  base::Result<void> CheckKeys() const;

  api::Vocabulary& words_;
  const base::Clock& clock_;
  QueuePolicy& policy_;
  const QueueOptions options_;
  QueueObserver silent_;
  QueueObserver& observer_;
  const int64_t born_;  // unix ns; what the ticks count from

  PodPool pool_;
  KeyTable<QueuedPod, QueuedPodKey> by_key_;  // every queued pod
  StepBack step_back_;
  PodHeap<ActiveLess> active_;
  BackoffRule backoff_rule_;
  BackoffQueue backoff_;
  ParkedPods parked_;
  RequeueJudge judge_;
  InFlightList in_flight_;
  Nominator nominator_;
  int64_t scheduling_cycle_ = 0;
  std::vector<QueuedPod*> completed_;  // scratch of FlushBackoffCompleted
  api::PodRef empty_pod_;              // what BarePod starts from; made when first needed
};

}  // namespace berth::queue
