// Updates of queued pods after a change of the policy.
#include <unordered_set>

#include "scheduler/queue/scheduling_queue.h"

namespace berth::queue {

void SchedulingQueue::RetryRejectedBy(const std::function<bool(base::Id, base::Id)>& changed) {
  std::unordered_set<const QueuedPod*> again;
  parked_.ForEachBucket([&](const ParkedBucket& bucket) {
    if (!bucket.pods.empty() && changed(bucket.profile, bucket.plugin)) {
      again.insert(bucket.pods.begin(), bucket.pods.end());
    }
  });
  std::vector<QueuedPod*> in_order;
  parked_.ForEach([&](QueuedPod& pod) {
    if (again.contains(&pod)) in_order.push_back(&pod);
  });
  for (QueuedPod* pod : in_order) {
    Leave(*pod);
    Wake(*pod, kPolicyChange);
    Requeue(*pod, Strategy::kAfterBackoff, kPolicyChange);
  }
  if (in_flight_.n_pods() > 0) in_flight_.Record(kEventPolicyChange, {});
}

void SchedulingQueue::SetBackoff(int64_t initial_ns, int64_t max_ns) {
  backoff_rule_ = BackoffRule(initial_ns, max_ns, options_.pop_from_backoff_q);
}

}  // namespace berth::queue
