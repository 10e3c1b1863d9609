// Asks the plugins that rejected a pod whether a cluster event is worth another attempt. For each event, it asks each
// plugin once about all the parked pods that the event may concern, not once per pod. The order of the questions does
// not matter: hints are independent, and the strongest answer decides. Owned by the queue. Thread: the scheduling
// thread.
// Source: pkg/scheduler/backend/queue/scheduling_queue.go isPodWorthRequeuing.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "api/events.h"
#include "base/clock.h"
#include "scheduler/queue/event_interests.h"
#include "scheduler/queue/event_objects.h"
#include "scheduler/queue/parked_pods.h"
#include "scheduler/queue/queue_policy.h"
#include "scheduler/queue/queued_pod.h"

namespace berth::queue {

// kSkip: the pod stays. kAfterBackoff: it is retried after its backoff. kImmediately: it is retried at once, because
// the event is one that a plugin with the status Pending waits for.
enum class Strategy : uint8_t { kSkip, kAfterBackoff, kImmediately };

class RequeueEvaluator {
 public:
  struct Movable {
    QueuedPod* pod;
    Strategy strategy;
    base::Id plugin;  // that asked for the retry; kNoId: the event needs none
  };
  // Selects the parked pods that an event concerns; empty: all.
  using Filter = std::function<bool(QueuedPod&)>;

  // observer and clock: for the durations of hints; both or none.
  explicit RequeueEvaluator(QueuePolicy& policy, QueueObserver* observer = nullptr, const base::Clock* clock = nullptr)
      : policy_(policy), observer_(observer), clock_(clock) {
    Rebuild();
  }

  // Reads the registrations from the policy again.
  void Rebuild() { interests_.Rebuild(policy_.Registrations()); }
  bool Interested(const api::ClusterEvent& event) { return interests_.Interested(event); }

  struct Answer {
    Strategy strategy = Strategy::kSkip;
    base::Id plugin = base::kNoId;  // whose answer it is; kNoId: no plugin was asked
  };

  // Whether no further answer can change the strategy for this pod.
  static bool IsSettled(const QueuedPod& pod, Strategy strategy) {
    return strategy == Strategy::kImmediately || (strategy == Strategy::kAfterBackoff && pod.pending_plugins.empty());
  }

  // Evaluates one pod, gated or not.
  Answer Evaluate(const QueuedPod& pod, const api::ClusterEvent& event, const EventObjects& objects);

  // Evaluates every parked pod that the filter accepts and whose gating plugin, if any, registered the event. Returns
  // the pods to move, in order of parking; valid until the next call. Calls the filter at most once per pod.
  std::span<const Movable> EvaluateParked(const ParkedPods& parked, const api::ClusterEvent& event,
                                          const EventObjects& objects, const Filter& filter);

 private:
  using Match = EventInterests::Match;
  using Matches = EventInterests::Matches;

  bool IsCandidate(QueuedPod& pod, const Matches& matches, const Filter& filter);
  void Raise(QueuedPod& pod, const Answer& answer);
  void EvaluateOrphans(const ParkedPods& parked, const Matches& matches, const Filter& filter);
  void EvaluateBucket(const ParkedBucket& bucket, const Match& match, const Matches& matches,
                      const api::ClusterEvent& event, const EventObjects& objects, const Filter& filter);
  // Sets flags_[i] to the answer for batch_[i].
  void Ask(const Match& match, const api::ClusterEvent& event, const EventObjects& objects);
  // Returns whether the call succeeded.
  bool AskHint(const Match& match, const api::ClusterEvent& event, const EventObjects& objects);

  QueuePolicy& policy_;
  QueueObserver* const observer_;
  const base::Clock* const clock_;
  EventInterests interests_;
  uint64_t round_ = 0;  // the number of the event being evaluated
  std::vector<QueuedPod*> asked_;
  std::vector<const berth_pod*> batch_;
  std::vector<uint8_t> flags_;
  std::vector<Movable> movable_;
};

}  // namespace berth::queue
