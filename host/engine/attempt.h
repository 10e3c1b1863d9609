// One attempt to place one pod, from Pop to PostBind or failure. Thread: owned by the scheduling thread; its job part
// is used by the binding cycle while that runs.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "bind/binding_cycle.h"
#include "cycle/scheduling_cycle.h"
#include "queue/queued_pod.h"

namespace berth::engine {

struct Attempt {
  bind::BindJob job;
  queue::QueuedPodPtr queued;
  berth_cycle cycle;
  cycle::CycleResult result;
  std::vector<std::pair<plugin::Instance*, int64_t>> waits;
  std::vector<std::shared_ptr<plugin::Instance>> adopters;  // of later generations, one per plugin
  int64_t started_mono_ns = 0, chosen_mono_ns = 0;
};

// How an attempt ended, as told to whoever watches (simulation, explain, metrics).
struct AttemptReport {
  const api::Pod& pod;
  const framework::Profile& profile;
  const cycle::CycleResult& result;  // outcome kChosen and status Success: bound
  uint64_t generation;
  bool bound;
  int64_t started_mono_ns, chosen_mono_ns;  // when the cycle began, and when it had chosen or given up
  const queue::QueuedPod* queued;           // how it came here; null once it is back in the queue
};

class AttemptObserver {
 public:
  virtual ~AttemptObserver() = default;
  // Asked before the attempt: what it should keep of its reasoning.
  virtual cycle::RecordNodes RecordFor(const api::Pod&) { return cycle::RecordNodes::kNone; }
  virtual void OnAttempt(const AttemptReport&) {}  // scheduling thread, after PostBind or after the failure handler
};

}  // namespace berth::engine
