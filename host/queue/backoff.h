// How long a pod must wait before it is tried again, and the two heaps of pods that wait: podBackoffQ for pods that
// plugins rejected, podErrorBackoffQ for pods whose attempt failed by an error.
// Owned by the queue. Thread: the scheduling thread. Times are unix ns.
// Source: pkg/scheduler/backend/queue/backoff_queue.go; core.md 5.8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/clock.h"
#include "queue/pod_heap.h"
#include "queue/policy.h"
#include "queue/queued_pod.h"

namespace berth::queue {

// time + duration; the end of time when that is later.
inline int64_t SaturatingAdd(int64_t time, int64_t duration) {
  int64_t sum;
  return __builtin_add_overflow(time, duration, &sum) ? std::numeric_limits<int64_t>::max() : sum;
}

class BackoffRule {
 public:
  // With aligned (SchedulerPopFromBackoffQ) times are cut to whole seconds, so that pods which come due in one second
  // are ordered by priority. max_ns 0 disables backoff.
  BackoffRule(int64_t initial_ns, int64_t max_ns, bool aligned)
      : initial_ns_(initial_ns), max_ns_(max_ns), aligned_(aligned) {}

  // initial << (count - 1), at most max; 0 for count 0.
  int64_t Duration(uint32_t count) const;
  // When the pod's backoff ends; BERTH_NO_TIME (before all times) when it has none. Remembers it in the pod.
  int64_t Expiration(QueuedPod& pod) const;
  // At the very second of its expiration a pod still is backing off.
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

  // To podBackoffQ if the pod has rejectors, else to podErrorBackoffQ. The pod must be nowhere; its place is set.
  void Add(QueuedPod& pod);
  void Remove(QueuedPod& pod);
  // After the pod was exchanged for a newer version.
  void Fix(QueuedPod& pod);
  // The head of podBackoffQ, however long it should wait; nullptr when that heap is empty. Error backoff is never cut
  // short.
  QueuedPod* PopBackoff();
  // Appends all that are no longer backing off: those of podBackoffQ first, each heap in its order.
  void PopAllCompleted(int64_t now, std::vector<QueuedPod*>& out);
  // After the order of the profile's QueueSort may have changed.
  void Resort() { pods_.Init(); }

  size_t size() const { return pods_.size() + errors_.size(); }
  // The earliest expiration; BERTH_NO_TIME when a pod has none. The queue must not be empty.
  int64_t FirstExpiration() const;
  const std::vector<QueuedPod*>& pods() const { return pods_.pods(); }
  const std::vector<QueuedPod*>& error_pods() const { return errors_.pods(); }
  bool Holds(const QueuedPod& pod) const;
  // Is a before b in the heap of podBackoffQ or, with errors, of podErrorBackoffQ?
  bool Before(QueuedPod& a, QueuedPod& b, bool errors) const { return (errors ? errors_ : pods_).Before(a, b); }

 private:
  struct ByExpiration {
    const BackoffRule* rule;
    QueuePolicy* policy;  // orders pods of one expiration; nullptr: their order is left open
    bool operator()(QueuedPod& a, QueuedPod& b) const;
  };
  using Heap = PodHeap<ByExpiration>;
  Heap& HeapOf(const QueuedPod& pod) { return pod.place() == Place::kErrorBackoff ? errors_ : pods_; }
  void PopCompleted(Heap& heap, int64_t now, std::vector<QueuedPod*>& out);

  const BackoffRule& rule_;
  Heap pods_, errors_;
};

}  // namespace berth::queue
