#include "scheduler/queue/backoff.h"

#include <algorithm>
#include <cassert>

namespace berth::queue {

int64_t BackoffRule::Duration(uint32_t count) const {
  if (count == 0) return 0;
  const uint32_t shift = count - 1;
  if (initial_ns_ > (shift < 63 ? max_ns_ >> shift : 0)) return max_ns_;
  return shift < 63 ? initial_ns_ << shift : 0;
}

int64_t BackoffRule::Expiration(QueuedPod& pod) const {
  if (max_ns_ == 0) return BERTH_NO_TIME;
  const uint32_t count = pod.consecutive_errors_count > 0 ? pod.consecutive_errors_count : pod.unschedulable_count;
  if (count == 0) return BERTH_NO_TIME;
  if (pod.backoff_expiration == BERTH_NO_TIME) {
    pod.backoff_expiration = Align(SaturatingAdd(pod.timestamp, Duration(count)));
  }
  return pod.backoff_expiration;
}

int64_t BackoffRule::Align(int64_t t) const {
  if (!aligned_) return t;
  const int64_t rest = t % base::kSecond;
  return t - (rest < 0 ? rest + base::kSecond : rest);
}

bool BackoffQueue::ByExpiration::operator()(QueuedPod& a, QueuedPod& b) const {
  const int64_t at_a = rule->Expiration(a), at_b = rule->Expiration(b);
  if (at_a != at_b) return at_a < at_b;
  return policy != nullptr && policy->Less(a, b);
}

void BackoffQueue::Add(QueuedPod& pod) {
  assert(pod.place_ == Place::kNone);
  pod.place_ = pod.has_rejectors() ? Place::kBackoff : Place::kErrorBackoff;
  HeapOf(pod).Push(pod);
}

void BackoffQueue::Remove(QueuedPod& pod) {
  HeapOf(pod).Remove(pod);
  pod.place_ = Place::kNone;
}

void BackoffQueue::Fix(QueuedPod& pod) { HeapOf(pod).Fix(pod); }

QueuedPod* BackoffQueue::PopBackoff() {
  if (pods_.empty()) return nullptr;
  QueuedPod& pod = pods_.Pop();
  pod.place_ = Place::kNone;
  return &pod;
}

void BackoffQueue::PopAllCompleted(int64_t now, std::vector<QueuedPod*>& out) {
  PopCompleted(pods_, now, out);
  PopCompleted(errors_, now, out);
}

void BackoffQueue::PopCompleted(Heap& heap, int64_t now, std::vector<QueuedPod*>& out) {
  while (!heap.empty() && !rule_.IsBackingOff(heap.top(), now)) {
    out.push_back(&heap.Pop());
    out.back()->place_ = Place::kNone;
  }
}

int64_t BackoffQueue::FirstExpiration() const {
  assert(size() > 0);
  if (pods_.empty()) return rule_.Expiration(errors_.top());
  if (errors_.empty()) return rule_.Expiration(pods_.top());
  return std::min(rule_.Expiration(pods_.top()), rule_.Expiration(errors_.top()));
}

bool BackoffQueue::Holds(const QueuedPod& pod) const {
  return (pod.place() == Place::kErrorBackoff ? errors_ : pods_).HasAt(pod);
}

}  // namespace berth::queue
