#include "scheduler/queue/parked_pods.h"

#include <cassert>

namespace berth::queue {

void ParkedPods::Add(QueuedPod& pod) {
  assert(pod.place_ == Place::kNone && pod.has_rejectors());
  pod.place_ = Place::kUnschedulable;
  pod.parked_sequence_ = ++sequence_;
  Link(pod);
  FillBuckets(pod);
}

void ParkedPods::Remove(QueuedPod& pod) {
  assert(pod.place_ == Place::kUnschedulable);
  EmptyBuckets(pod);
  Unlink(pod);
  pod.place_ = Place::kNone;
}

void ParkedPods::Relist(QueuedPod& pod) {
  EmptyBuckets(pod);
  FillBuckets(pod);
  if (pod.parked_as_gated_ == pod.gated()) return;
  Unlink(pod);
  Link(pod);
}

const ParkedBucket* ParkedPods::Find(base::Id profile, base::Id plugin) const {
  const auto at = buckets_.find(BucketKey(profile, plugin));
  return at == buckets_.end() || at->second.pods.empty() ? nullptr : &at->second;
}

void ParkedPods::Link(QueuedPod& pod) {
  pod.parked_as_gated_ = pod.gated();
  List& list = ListOf(pod);
  // Inserts the pod by its parked_sequence_. The position is nearly always the end of the list.
  QueuedPod* before = list.last;
  while (before != nullptr && before->parked_sequence_ > pod.parked_sequence_) before = before->parked_prev_;
  pod.parked_prev_ = before;
  pod.parked_next_ = before != nullptr ? before->parked_next_ : list.first;
  (before != nullptr ? before->parked_next_ : list.first) = &pod;
  (pod.parked_next_ != nullptr ? pod.parked_next_->parked_prev_ : list.last) = &pod;
  ++list.size;
}

void ParkedPods::Unlink(QueuedPod& pod) {
  List& list = ListOf(pod);
  (pod.parked_prev_ != nullptr ? pod.parked_prev_->parked_next_ : list.first) = pod.parked_next_;
  (pod.parked_next_ != nullptr ? pod.parked_next_->parked_prev_ : list.last) = pod.parked_prev_;
  pod.parked_prev_ = pod.parked_next_ = nullptr;
  --list.size;
}

void ParkedPods::FillBuckets(QueuedPod& pod) {
  pod.ForEachRejector([&](base::Id plugin) {
    ParkedBucket& bucket = buckets_[BucketKey(pod.profile(), plugin)];
    bucket.profile = pod.profile();
    bucket.plugin = plugin;
    pod.slots_.push_back({&bucket, bucket.pods.size()});
    bucket.pods.push_back(&pod);
  });
}

void ParkedPods::EmptyBuckets(QueuedPod& pod) {
  for (const QueuedPod::BucketSlot& slot : pod.slots_) {
    std::vector<QueuedPod*>& pods = slot.bucket->pods;
    QueuedPod* moved = pods[slot.index] = pods.back();
    pods.pop_back();
    if (moved == &pod) continue;
    for (QueuedPod::BucketSlot& other : moved->slots_) {
      if (other.bucket == slot.bucket) other.index = slot.index;
    }
  }
  pod.slots_.clear();
}

base::Result<void> ParkedPods::CheckPod(const QueuedPod& pod) const {
  if (pod.place_ != Place::kUnschedulable)
    return base::Fail("parked pod " + std::string(pod.key()) + " has another place");
  if (pod.parked_as_gated_ != pod.gated())
    return base::Fail("parked pod " + std::string(pod.key()) + " is in the wrong list");
  if (!pod.has_rejectors()) return base::Fail("parked pod " + std::string(pod.key()) + " has no rejector plugin");
  if (pod.gated() && !pod.IsRejector(pod.gating_plugin)) {
    return base::Fail("the gating plugin of pod " + std::string(pod.key()) + " is not among its rejectors");
  }
  size_t n = 0;
  bool listed = true;
  pod.ForEachRejector([&](base::Id plugin) {
    ++n;
    const ParkedBucket* bucket = Find(pod.profile(), plugin);
    bool found = false;
    for (const QueuedPod::BucketSlot& slot : pod.slots_) {
      found |= slot.bucket == bucket && slot.index < bucket->pods.size() && bucket->pods[slot.index] == &pod;
    }
    listed &= found;
  });
  if (!listed || n != pod.slots_.size())
    return base::Fail("parked pod " + std::string(pod.key()) + " is not listed once per rejector");
  return {};
}

base::Result<void> ParkedPods::Check() const {
  size_t slots = 0, in_buckets = 0;
  for (const List* list : {&ungated_, &gated_}) {
    size_t n = 0;
    const QueuedPod* before = nullptr;
    for (const QueuedPod* pod = list->first; pod != nullptr; before = pod, pod = pod->parked_next_, ++n) {
      if (auto checked = CheckPod(*pod); !checked) return checked;
      if (pod->parked_prev_ != before)
        return base::Fail("the parked pods are not linked backwards at " + std::string(pod->key()));
      if (before != nullptr && before->parked_sequence_ >= pod->parked_sequence_) {
        return base::Fail("the parked pods are out of order at " + std::string(pod->key()));
      }
      slots += pod->slots_.size();
    }
    if (before != list->last || n != list->size) return base::Fail("the count of parked pods is wrong");
  }
  ForEachBucket([&](const ParkedBucket& bucket) { in_buckets += bucket.pods.size(); });
  if (slots != in_buckets) return base::Fail("a plugin's bucket lists a pod that is not parked");
  return {};
}

}  // namespace berth::queue
