// unschedulablePods: pods that wait for an event, gated pods included. They are listed in order of parking, and once
// more for each plugin that rejected them, so an event touches only the pods that it may concern. All operations are
// O(1) per rejector. Not owning. Thread: the scheduling thread.
// Source: pkg/scheduler/backend/queue/unschedulable_pods.go.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/intern.h"
#include "base/result.h"
#include "scheduler/queue/queued_pod.h"

namespace berth::queue {

// The parked pods of one profile that one plugin rejected, in no particular order.
struct ParkedBucket {
  base::Id profile = base::kNoId, plugin = base::kNoId;
  std::vector<QueuedPod*> pods;
};

class ParkedPods {
 public:
  // The pod must have a rejector and be in no other place of the queue. Sets its place.
  void Add(QueuedPod& pod);
  void Remove(QueuedPod& pod);
  // Updates the lists after the rejectors or the gate of a parked pod changed. The pod keeps its position in the order
  // of parking.
  void Relist(QueuedPod& pod);

  size_t size() const { return ungated_.size + gated_.size; }
  size_t n_gated() const { return gated_.size; }
  // The first parked pod that is not gated; nullptr if there is none.
  const QueuedPod* FirstUngated() const { return ungated_.first; }
  // nullptr if there is no such pod.
  const ParkedBucket* Find(base::Id profile, base::Id plugin) const;

  template <class Fn>
  void ForEachBucket(Fn&& fn) const {
    for (const auto& [key, bucket] : buckets_) fn(bucket);
  }
  // Calls fn for the pods that are not gated, then for the gated ones, each in order of parking.
  template <class Fn>
  void ForEach(Fn&& fn) const {
    for (const List* list : {&ungated_, &gated_}) {
      for (QueuedPod* pod = list->first; pod != nullptr; pod = pod->parked_next_) fn(*pod);
    }
  }
  base::Result<void> Check() const;

 private:
  struct List {
    QueuedPod *first = nullptr, *last = nullptr;
    size_t size = 0;
  };
  static uint64_t BucketKey(base::Id profile, base::Id plugin) { return uint64_t{profile} << 32 | plugin; }
  List& ListOf(const QueuedPod& pod) { return pod.parked_as_gated_ ? gated_ : ungated_; }
  void Link(QueuedPod& pod);
  void Unlink(QueuedPod& pod);
  void FillBuckets(QueuedPod& pod);
  void EmptyBuckets(QueuedPod& pod);
  base::Result<void> CheckPod(const QueuedPod& pod) const;

  List ungated_, gated_;
  std::unordered_map<uint64_t, ParkedBucket> buckets_;  // addresses are stable; empty buckets are kept
  uint64_t sequence_ = 0;
};

}  // namespace berth::queue
