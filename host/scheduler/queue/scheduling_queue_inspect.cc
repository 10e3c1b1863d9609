// Inspection of the queue: lists of pods, and a check that the structures are consistent.
#include <cassert>

#include "scheduler/queue/scheduling_queue.h"

namespace berth::queue {
namespace {

base::Result<void> WrongPlace(const QueuedPod& pod, std::string_view place) {
  return base::Fail("pod " + std::string(pod.key()) + " is in " + std::string(place) + " but records another place");
}

}  // namespace

QueueCounts SchedulingQueue::counts() const {
  return {active_.size(), backoff_.size(), parked_.size() - parked_.n_gated(), parked_.n_gated()};
}

PendingPods SchedulingQueue::Pending() const {
  PendingPods pending;
  pending.pods.assign(active_.pods().begin(), active_.pods().end());
  pending.pods.insert(pending.pods.end(), backoff_.pods().begin(), backoff_.pods().end());
  pending.pods.insert(pending.pods.end(), backoff_.error_pods().begin(), backoff_.error_pods().end());
  parked_.ForEach([&](const QueuedPod& pod) { pending.pods.push_back(&pod); });
  pending.summary = "activeQ:" + std::to_string(active_.size()) + "; backoffQ:" + std::to_string(backoff_.size()) +
                    "; unschedulablePods:" + std::to_string(parked_.size());
  return pending;
}

base::Result<void> SchedulingQueue::CheckHeaps() const {
  for (size_t i = 0; i < active_.size(); ++i) {
    QueuedPod& pod = *active_.pods()[i];
    if (pod.place_ != Place::kActive || pod.heap_index_ != i) return WrongPlace(pod, "activeQ");
    if (pod.gated()) return base::Fail("gated pod " + std::string(pod.key()) + " is in activeQ");
    if (i > 0 && active_.Before(pod, *active_.pods()[(i - 1) / 2])) {
      return base::Fail("activeQ is out of order at pod " + std::string(pod.key()));
    }
  }
  for (const bool errors : {false, true}) {
    const std::vector<QueuedPod*>& pods = errors ? backoff_.error_pods() : backoff_.pods();
    for (size_t i = 0; i < pods.size(); ++i) {
      QueuedPod& pod = *pods[i];
      if (pod.place_ != (errors ? Place::kErrorBackoff : Place::kBackoff) || pod.heap_index_ != i) {
        return WrongPlace(pod, "backoffQ");
      }
      if (i > 0 && backoff_.Before(pod, *pods[(i - 1) / 2], errors)) {
        return base::Fail("backoffQ is out of order at pod " + std::string(pod.key()));
      }
    }
  }
  return {};
}

base::Result<void> SchedulingQueue::CheckKeys() const {
  size_t known = 0;
  const QueuedPod* lost = nullptr;
  by_key_.ForEach([&](const QueuedPod& pod) {
    ++known;
    if (pod.place_ == Place::kNone || by_key_.Find(pod.key()) != &pod) lost = &pod;
  });
  if (lost != nullptr)
    return base::Fail("pod " + std::string(lost->key()) + " is known but in no place, or two pods have its name");
  // Every place holds only known pods, each once, if and only if the numbers are equal.
  if (known != active_.size() + backoff_.size() + parked_.size())
    return base::Fail("a queued pod is not known by its name");
  if (known > pool_.in_use()) return base::Fail("a queued pod is not from the pool");
  return {};
}

base::Result<void> SchedulingQueue::Check() const {
  for (const auto& checked : {CheckHeaps(), CheckKeys(), parked_.Check(), in_flight_.Check(), nominator_.Check()}) {
    if (!checked) return checked;
  }
  return {};
}

// A pod with only its identity: namespace, name, and UID.
api::PodRef SchedulingQueue::BarePod(const api::Pod& pod) {
  if (!empty_pod_) {
    auto decoded = api::DecodePod(intern_, R"({"metadata":{"name":"empty"}})");
    assert(decoded);
    empty_pod_ = *decoded;
  }
  const api::Ref<api::Pod> bare(new api::Pod(intern_));
  bare->CopyFrom(*empty_pod_);
  bare->SetIdentity(pod.ns(), pod.name(), pod.uid(), "");
  bare->SetSchedulerName("");
  return bare;
}

}  // namespace berth::queue
