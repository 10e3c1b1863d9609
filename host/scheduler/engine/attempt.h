// One attempt to place one pod, from Pop to PostBind or the failure handler. Thread: the scheduling thread; while the
// binding cycle runs, it uses the job. Ownership: Attempts owns them.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "api/events.h"
#include "scheduler/bind/binding_cycle.h"
#include "scheduler/cycle/scheduling_cycle.h"
#include "scheduler/queue/queued_pod.h"

namespace berth::engine {

struct Attempt {
  bind::BindJob job;
  queue::QueuedPodPtr queued;
  berth_cycle cycle;
  cycle::CycleResult result;
  std::vector<std::pair<plugin::Instance*, int64_t>> waits;  // Permit plugins that answered WAIT, for how long, ns
  // Of later generations: they have taken the attempt over from their predecessor. One per plugin.
  std::vector<std::shared_ptr<plugin::Instance>> adopters;
  int64_t started_mono_ns = 0, chosen_mono_ns = 0;
  decisions::PointMicros points{};  // of the scheduling cycle; those of the binding cycle are in the job
};

// How an attempt ended, for the simulation, explain, and the metrics. Borrowed for the call.
struct AttemptReport {
  const api::Pod& pod;
  const framework::Profile& profile;
  const cycle::CycleResult& result;  // outcome kChosen and status Success when the pod is bound
  uint64_t generation;
  bool bound;
  int64_t started_mono_ns, chosen_mono_ns;  // when the cycle began, and when it had chosen a node or failed
  const queue::QueuedPod* queued;           // null: the pod is back in the queue
};

class AttemptObserver {
 public:
  virtual ~AttemptObserver() = default;
  // Called before the attempt: which nodes the result records.
  virtual cycle::RecordNodes RecordFor(const api::Pod&) { return cycle::RecordNodes::kNone; }
  // scheduler_event_handling_duration_seconds{event}: the scheduling thread has applied an event of the cluster.
  virtual void OnClusterEvent(const api::ClusterEvent&, int64_t /*ns*/) {}
  // On the scheduling thread, after PostBind or after the failure handler.
  virtual void OnAttempt(const AttemptReport&) {}
};

}  // namespace berth::engine
