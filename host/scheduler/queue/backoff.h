// The backoff rule, and the two heaps of pods that wait for the end of their backoff. podBackoffQ holds pods that
// plugins rejected. podErrorBackoffQ holds pods whose attempt failed with an error.
// Owned by the queue. Thread: the scheduling thread. Times are unix ns.
// Source: pkg/scheduler/backend/queue/backoff_queue.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/clock.h"
#include "scheduler/queue/pod_heap.h"
#include "scheduler/queue/queue_policy.h"
#include "scheduler/queue/queued_pod.h"

namespace berth::queue {

// time + duration, or the largest time if the sum overflows.
inline int64_t SaturatingAdd(int64_t time, int64_t duration) {
  int64_t sum;
  return __builtin_add_overflow(time, duration, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

class BackoffRule {
 public:
  // If `aligned` (gate SchedulerPopFromBackoffQ), the rule truncates times to whole seconds. Pods whose backoff ends in
  // the same second are then ordered by priority. max_ns 0 disables backoff.
  BackoffRule(int64_t initial_ns, int64_t max_ns, bool aligned)
      : initial_ns_(initial_ns), max_ns_(max_ns), aligned_(aligned) {}

  // initial << (count - 1), at most max; 0 for count 0.
  int64_t Duration(uint32_t count) const;
  // Returns when the pod's backoff ends, and caches the time in the pod. BERTH_NO_TIME (before all times): no backoff.
  int64_t Expiration(QueuedPod& pod) const;
  // A pod is still backing off at the exact time of its expiration.
  bool IsBackingOff(QueuedPod& pod, int64_t now) const { return Expiration(pod) >= Align(now); }
  // The first time at which IsBackingOff is false for this expiration.
  int64_t ReadyAt(int64_t expiration) const { return SaturatingAdd(expiration, aligned_ ? base::kSecond : 1); }
  int64_t Align(int64_t t) const;
  bool aligned() const { return aligned_; }

 private:
  int64_t initial_ns_, max_ns_;
  bool aligned_;
};

class BackoffQueue {
 public:
  // The rule and the policy must outlive the queue.
  BackoffQueue(const BackoffRule& rule, QueuePolicy& policy)
      : rule_(rule),
        pods_(ByExpiration{&rule, rule.aligned() ? &policy : nullptr}),
        errors_(ByExpiration{&rule, nullptr}) {}

  // Adds the pod to podBackoffQ if plugins rejected it, else to podErrorBackoffQ, and sets its place. The pod must be
  // in no other place of the queue.
  void Add(QueuedPod& pod);
  void Remove(QueuedPod& pod);
  // Restores the heap order after the pod was replaced by a newer version.
  void Fix(QueuedPod& pod);
  // Removes and returns the head of podBackoffQ, even if its backoff is not over; nullptr if podBackoffQ is empty. A
  // pod in podErrorBackoffQ always waits until its backoff is over.
  QueuedPod* PopBackoff();
  // Removes all pods whose backoff is over and appends them to `out`: podBackoffQ first, each heap in its order.
  void PopAllCompleted(int64_t now, std::vector<QueuedPod*>& out);
  // Restores the heap order after the order of QueueSort may have changed.
  void Resort() { pods_.Init(); }

  size_t size() const { return pods_.size() + errors_.size(); }
  // The earliest expiration; BERTH_NO_TIME if a pod has no backoff. The queue must not be empty.
  int64_t FirstExpiration() const;
  const std::vector<QueuedPod*>& pods() const { return pods_.pods(); }
  const std::vector<QueuedPod*>& error_pods() const { return errors_.pods(); }
  bool Holds(const QueuedPod& pod) const;
  // Whether `a` is before `b` in podBackoffQ or, if `errors`, in podErrorBackoffQ.
  bool Before(QueuedPod& a, QueuedPod& b, bool errors) const { return (errors ? errors_ : pods_).Before(a, b); }

 private:
  struct ByExpiration {
    const BackoffRule* rule;
    QueuePolicy* policy;  // orders pods with the same expiration; nullptr: any order
    bool operator()(QueuedPod& a, QueuedPod& b) const;
  };
  using Heap = PodHeap<ByExpiration>;
  Heap& HeapOf(const QueuedPod& pod) { return pod.place() == Place::kErrorBackoff ? errors_ : pods_; }
  void PopCompleted(Heap& heap, int64_t now, std::vector<QueuedPod*>& out);

  const BackoffRule& rule_;
  Heap pods_, errors_;
};

}  // namespace berth::queue
