// Decides whether a cluster event is worth another attempt for a pod that plugins rejected, by asking those plugins.
// An event asks each plugin once for all the parked pods it may concern, instead of once per pod: hints do not depend
// on each other, and the strongest answer wins in whatever order they come. Owned by the queue. Thread: the scheduling
// thread. Source: isPodWorthRequeuing of pkg/scheduler/backend/queue/scheduling_queue.go; core.md 5.5, 5.6.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "api/events.h"
#include "queue/event_interests.h"
#include "queue/event_objects.h"
#include "queue/parked_pods.h"
#include "queue/policy.h"
#include "queue/queued_pod.h"

namespace berth::queue {

// Stay; go on when the backoff is over; go on now, because a plugin that said Pending sees what it waited for.
enum class Strategy : uint8_t { kSkip, kAfterBackoff, kImmediately };

class RequeueJudge {
 public:
  struct Movable {
    QueuedPod* pod;
    Strategy strategy;
  };
  // Which parked pods an event is about; empty = all.
  using Filter = std::function<bool(QueuedPod&)>;

  explicit RequeueJudge(QueuePolicy& policy) : policy_(policy) { Rebuild(); }

  // Asks the policy for the registrations anew.
  void Rebuild() { interests_.Rebuild(policy_.Registrations()); }
  bool Interested(const api::ClusterEvent& event) { return interests_.Interested(event); }

  // Can no further answer change the verdict on this pod?
  static bool IsSettled(const QueuedPod& pod, Strategy strategy) {
    return strategy == Strategy::kImmediately || (strategy == Strategy::kAfterBackoff && pod.pending_plugins.empty());
  }

  // One pod, gated or not.
  Strategy Judge(const QueuedPod& pod, const api::ClusterEvent& event, const EventObjects& objects);

  // Every parked pod that the filter lets through and whose gating plugin, if any, registered the event. The pods that
  // should move, in order of parking; valid until the next call. The filter is asked at most once per pod.
  std::span<const Movable> JudgeParked(const ParkedPods& parked, const api::ClusterEvent& event,
                                       const EventObjects& objects, const Filter& filter);

 private:
  using Match = EventInterests::Match;
  using Matches = EventInterests::Matches;

  bool IsCandidate(QueuedPod& pod, const Matches& matches, const Filter& filter);
  void Raise(QueuedPod& pod, Strategy strategy);
  void JudgeOrphans(const ParkedPods& parked, const Matches& matches, const Filter& filter);
  void JudgeBucket(const ParkedBucket& bucket, const Match& match, const Matches& matches,
                   const api::ClusterEvent& event, const EventObjects& objects, const Filter& filter);
  // flags_[i] answers for batch_[i].
  void Ask(const Match& match, const api::ClusterEvent& event, const EventObjects& objects);

  QueuePolicy& policy_;
  EventInterests interests_;
  uint64_t round_ = 0;  // marks what the pods remember of the event being judged
  std::vector<QueuedPod*> asked_;
  std::vector<const berth_pod*> batch_;
  std::vector<uint8_t> flags_;
  std::vector<Movable> movable_;
};

}  // namespace berth::queue
