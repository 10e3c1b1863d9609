// A pod in the queue, with the results of its attempts.
// Source: pkg/scheduler/framework/types.go QueuedPodInfo.
//
// Thread: the scheduling thread only. Ownership: the queue owns a waiting pod. Pop hands it out as a QueuedPodPtr, and
// AddUnschedulableIfNotPresent takes it back. Its address never changes. Dropping a QueuedPodPtr returns the memory to
// the queue's pool, so drop it on the scheduling thread and before the queue is destroyed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.h"
#include "base/intern.h"
#include "scheduler/queue/plugin_set.h"
#include "scheduler/queue/rejection_counts.h"

namespace berth::decisions {
struct Decision;
}

namespace berth::queue {

// Where a pod waits. kBackoff is podBackoffQ (plugins rejected the pod). kErrorBackoff is podErrorBackoffQ (the attempt
// failed with an error). Gated pods are in kUnschedulable. kNone: popped, or not added yet.
enum class Place : uint8_t { kNone, kActive, kBackoff, kErrorBackoff, kUnschedulable };

// The label of the place in scheduler_queue_incoming_pods_total: "active", "backoff", "unschedulable"; "" for kNone.
std::string_view PlaceLabel(Place place);

struct ParkedBucket;

// Why the queue tries a pod again. The text outlives the queue's pods.
struct Wakeup {
  std::string_view event;           // as in scheduler_queue_incoming_pods_total: "AssignedPodDelete"; "": none yet
  base::Id plugin = base::kNoId;    // whose hint asked for the retry; kNoId: the event needs none
  int64_t unix_ns = BERTH_NO_TIME;  // when the event came
};

class QueuedPod {
 public:
  QueuedPod() = default;
  QueuedPod(const QueuedPod&) = delete;
  QueuedPod& operator=(const QueuedPod&) = delete;

  api::PodRef pod;  // the holder of the QueuedPodPtr may replace it by a newer version of the same pod

  int64_t timestamp = BERTH_NO_TIME;                  // unix ns; when it was last added
  int64_t initial_attempt_timestamp = BERTH_NO_TIME;  // unix ns; when it first became active
  int64_t backoff_expiration = BERTH_NO_TIME;         // unix ns; cached by the backoff rule; BERTH_NO_TIME: unknown
  uint32_t attempts = 0;                              // how often it was popped
  uint32_t unschedulable_count = 0;                   // attempts that ended in a rejection
  uint32_t consecutive_errors_count = 0;              // attempts that ended in an error since the last rejection
  bool was_flushed_from_unschedulable = false;        // true if the timer, not an event, moved it

  PluginSet unschedulable_plugins;       // rejected it with Unschedulable or UnschedulableAndUnresolvable
  PluginSet pending_plugins;             // rejected it with Pending
  base::Id gating_plugin = base::kNoId;  // the PreEnqueue plugin that rejects it; kNoId: not gated
  int32_t gating_code = 0;               // berth_status of the gating plugin
  std::string gating_message;
  uint32_t gated_count = 0;          // how often PreEnqueue rejected it since the last attempt
  base::Id last_gate = base::kNoId;  // the plugin that did it last; kNoId: none

  Wakeup wakeup;  // of the next attempt, or of the one that runs

  RejectionCounts::Share rejected_nodes;  // of the last failed attempt

  // The last failed attempt with a table of its nodes; null: none was recorded.
  std::shared_ptr<const decisions::Decision> last_decision;

  bool gated() const { return gating_plugin != base::kNoId; }
  bool has_rejectors() const { return !unschedulable_plugins.empty() || !pending_plugins.empty(); }
  bool IsRejector(base::Id plugin) const {
    return unschedulable_plugins.Contains(plugin) || pending_plugins.Contains(plugin);
  }
  template <class Fn>
  void ForEachRejector(Fn&& fn) const {  // each plugin once
    for (base::Id plugin : unschedulable_plugins) fn(plugin);
    for (base::Id plugin : pending_plugins) {
      if (!unschedulable_plugins.Contains(plugin)) fn(plugin);
    }
  }
  // Called by the failure handler before it sets the new rejectors.
  void ClearRejectorPlugins();

  base::Id profile() const { return pod->abi.scheduler_name; }
  std::string_view key() const { return pod->key(); }
  Place place() const { return place_; }

 private:
  template <class>
  friend class PodHeap;
  friend class PodPool;
  friend class BackoffQueue;
  friend class ParkedPods;
  friend class RequeueEvaluator;
  friend class SchedulingQueue;
  friend struct QueuedPodKey;

  struct BucketSlot {
    ParkedBucket* bucket;
    size_t index;
  };

  void Reset();

  Place place_ = Place::kNone;
  size_t heap_index_ = 0;

  QueuedPod* next_by_key_ = nullptr;
  uint32_t key_hash_ = 0;

  QueuedPod *parked_prev_ = nullptr, *parked_next_ = nullptr;
  bool parked_as_gated_ = false;
  uint64_t parked_sequence_ = 0;   // order of parking
  std::vector<BucketSlot> slots_;  // one per rejector, while parked

  uint64_t evaluated_round_ = 0;  // the event that the next two fields belong to
  uint8_t evaluated_strategy_ = 0;
  base::Id evaluated_plugin_ = base::kNoId;  // that asked for it
  bool evaluated_excluded_ = false;
};

struct QueuedPodKey {
  static std::string_view Key(const QueuedPod& pod) { return pod.key(); }
  static QueuedPod*& Next(QueuedPod& pod) { return pod.next_by_key_; }
  static uint32_t& Hash(QueuedPod& pod) { return pod.key_hash_; }
};

class PodPool {
 public:
  struct Recycle {
    PodPool* pool = nullptr;
    void operator()(QueuedPod* pod) const { pool->Give(pod); }
  };
  using Ptr = std::unique_ptr<QueuedPod, Recycle>;

  PodPool() = default;
  PodPool(const PodPool&) = delete;
  ~PodPool();

  Ptr Make(api::PodRef pod, int64_t timestamp);
  Ptr Own(QueuedPod* pod) { return Ptr(pod, Recycle{this}); }
  size_t in_use() const { return in_use_; }

 private:
  static constexpr size_t kSlab = 256;
  void Give(QueuedPod* pod);

  std::vector<std::unique_ptr<QueuedPod[]>> slabs_;
  QueuedPod* free_ = nullptr;
  size_t in_use_ = 0;
};
using QueuedPodPtr = PodPool::Ptr;

}  // namespace berth::queue
