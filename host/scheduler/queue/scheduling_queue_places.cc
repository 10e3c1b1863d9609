// Moves of a pod from one place of the queue to another. The PreEnqueue plugins run before a pod becomes active, and
// before it starts backing off, because Pop may take it from podBackoffQ.
#include <utility>

#include "scheduler/queue/scheduling_queue.h"

namespace berth::queue {

void SchedulingQueue::RunPreEnqueue(QueuedPod& pod) {
  PreEnqueueVerdict verdict = policy_.PreEnqueue(*pod.pod, pod.gating_plugin);
  if (verdict.plugin != base::kNoId) {
    if (!pod.IsRejector(verdict.plugin)) observer_.UnschedulableReason(verdict.plugin, pod.profile(), 1);
    pod.unschedulable_plugins.Insert(verdict.plugin);
  }
  pod.gating_plugin = verdict.plugin;
  pod.gating_code = verdict.plugin != base::kNoId ? verdict.code : BERTH_SUCCESS;
  pod.gating_message = std::move(verdict.message);
  if (!pod.gated()) return;
  ++pod.gated_count;
  pod.last_gate = pod.gating_plugin;
}

void SchedulingQueue::Wake(QueuedPod& pod, std::string_view event, base::Id plugin) {
  pod.wakeup = {event, plugin, clock_.WallUnixNs()};
}

std::string_view SchedulingQueue::LabelOf(const api::ClusterEvent& event) {
  return event.label.empty() ? *labels_.insert(event.Label()).first : event.label;
}

bool SchedulingQueue::MoveToActive(QueuedPod& pod, std::string_view event, bool from_backoff) {
  if (!(options_.pop_from_backoff_q && from_backoff)) RunPreEnqueue(pod);
  QueuedPod* same = by_key_.Find(pod.key());  // &pod, an older object with the same name, or null
  if (same == &pod) same = nullptr;
  if (pod.gated()) {
    if (same != nullptr && same->place_ != Place::kUnschedulable) {
      pool_.Own(&pod);
    } else {
      Park(pod, event);
    }
    return false;
  }
  if (pod.initial_attempt_timestamp == BERTH_NO_TIME) pod.initial_attempt_timestamp = clock_.WallUnixNs();
  Leave(pod);
  if (same != nullptr && same->place_ == Place::kActive) {
    active_.Replace(*same, pod);
    same->place_ = Place::kNone;
  } else {
    active_.Push(pod);
  }
  if (same != nullptr) Release(*same);
  pod.place_ = Place::kActive;
  MakeKnown(pod);
  observer_.Incoming(pod, Place::kActive, event);
  if (event == kUnscheduledPodAdd || event == kUnscheduledPodUpdate) nominator_.Add(pod.pod, {});
  return true;
}

bool SchedulingQueue::MoveToBackoff(QueuedPod& pod, std::string_view event) {
  if (options_.pop_from_backoff_q) {
    RunPreEnqueue(pod);
    if (pod.gated()) {
      Park(pod, event);
      return false;
    }
  }
  Leave(pod);
  backoff_.Add(pod);
  MakeKnown(pod);
  observer_.Incoming(pod, pod.place_, event);
  return true;
}

Place SchedulingQueue::Requeue(QueuedPod& pod, Strategy strategy, std::string_view event) {
  if (strategy == Strategy::kSkip) {
    Park(pod, event);
    return Place::kUnschedulable;
  }
  if (strategy == Strategy::kAfterBackoff && backoff_rule_.IsBackingOff(pod, clock_.WallUnixNs())) {
    return MoveToBackoff(pod, event) ? pod.place_ : Place::kUnschedulable;
  }
  return MoveToActive(pod, event, false) ? Place::kActive : Place::kUnschedulable;
}

void SchedulingQueue::Park(QueuedPod& pod, std::string_view event) {
  if (pod.place_ == Place::kUnschedulable) {
    parked_.Relist(pod);
    return;
  }
  QueuedPod* same = by_key_.Find(pod.key());
  const bool replaces = same != nullptr && same != &pod;
  if (replaces) Release(*same);
  parked_.Add(pod);
  MakeKnown(pod);
  if (!replaces) observer_.Incoming(pod, Place::kUnschedulable, event);
}

void SchedulingQueue::Leave(QueuedPod& pod) {
  switch (pod.place_) {
    case Place::kNone: return;
    case Place::kActive:
      active_.Remove(pod);
      pod.place_ = Place::kNone;
      return;
    case Place::kBackoff:
    case Place::kErrorBackoff: backoff_.Remove(pod); return;
    case Place::kUnschedulable: parked_.Remove(pod); return;
  }
}

void SchedulingQueue::MakeKnown(QueuedPod& pod) {
  if (by_key_.Find(pod.key()) == nullptr) by_key_.Insert(pod);
}

QueuedPodPtr SchedulingQueue::Release(QueuedPod& pod) {
  Leave(pod);
  by_key_.Remove(pod);
  return pool_.Own(&pod);
}

void SchedulingQueue::CountRejectors(const QueuedPod& pod, int delta) {
  pod.ForEachRejector([&](base::Id plugin) { observer_.UnschedulableReason(plugin, pod.profile(), delta); });
}

}  // namespace berth::queue
