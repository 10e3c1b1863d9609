// The attempts to place a pod: takes a pod from the queue, runs the scheduling cycle, starts the binding cycle, and
// handles failures of both. Source: pkg/scheduler/schedule_one.go.
// Thread: scheduling thread. Ownership: owns the attempts, those in flight and spare ones; the collaborators outlive
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/intern_tables.h"
#include "api/pod_copies.h"
#include "base/clock.h"
#include "scheduler/bind/binding_cycle.h"
#include "scheduler/bind/waiting_pods.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cycle/scheduling_cycle.h"
#include "scheduler/engine/annotation_source.h"
#include "scheduler/engine/attempt.h"
#include "scheduler/engine/decision_recorder.h"
#include "scheduler/engine/failure_notes.h"
#include "scheduler/engine/messages.h"
#include "scheduler/engine/pod_lister.h"
#include "scheduler/engine/published_policy.h"
#include "scheduler/engine/writes.h"
#include "scheduler/queue/scheduling_queue.h"
#include "telemetry/trace/tracer.h"

namespace berth::engine {

// A pod between its decision and the end of its binding.
struct InFlightAttempt {
  std::string pod, profile, node;  // "namespace/name", schedulerName, name
};

class Attempts {
 public:
  struct Collaborators {
    api::InternTables& intern;
    const base::Clock& clock;
    Writes& writes;
    AttemptObserver& observer;
    cache::Cache& cache;
    queue::SchedulingQueue& queue;
    cycle::SchedulingCycle& cycle;
    plugin::ReasonTable& reasons;
    const PublishedPolicy& policy;
    const PodLister& pods;
    bind::WaitingPods& waiting;
    bind::BindingCycle& binding;
    uint64_t seed;          // of the random numbers that plugins get
    trace::Tracer* tracer;  // null: nothing is traced
    DecisionRecorder& recorder;
    FailureNotes* failure_notes;    // null: there are none
    AnnotationSource* annotations;  // null: pods are not annotated
  };
  explicit Attempts(const Collaborators& with);
  ~Attempts();
  Attempts(const Attempts&) = delete;

  // Takes a pod from the queue and runs its scheduling cycle. false: no pod was ready.
  bool ScheduleOne();
  // What an attempt to place the pod would find out now; see SchedulingCycle::Preview. The result has a table, and a
  // place is only suggested. Between two attempts. False: no profile serves the pod.
  bool Preview(const api::Pod& pod, cycle::CycleResult& result);
  // The names of at most `most` nodes on which the absence of pods can make the pod fit; none if it fits somewhere.
  // Between two attempts.
  std::vector<std::string> NodesForRoom(const api::Pod& pod, size_t most);
  // "namespace/name" of the pods that would have to leave the node; see SchedulingCycle::PodsToLeave. Likewise.
  std::vector<std::string> PodsToLeave(const api::Pod& pod, const std::string& node);
  void On(const PermitOver& message);
  void On(BindingFinished& message);

  // Rejects the pods that Permit holds and gives those up whose PreBind has not ended. Other binding cycles continue.
  void GiveUp(const std::string& cause);
  // GiveUp; and from now on a failed attempt is neither queued nor reported.
  void BeginShutdown();
  // Unreserves the pods in flight. The executor of binding cycles has stopped, and the messages that it left have been
  // handled.
  void Abandon();

  size_t n_in_flight() const { return in_flight_.size(); }
  std::vector<InFlightAttempt> InFlight() const;  // by pod
  template <class Fn>
  void ForEachInFlight(Fn&& fn) const {  // fn(Attempt&)
    for (const auto& [job, attempt] : in_flight_) fn(*attempt);
  }

 private:
  // attempts.cc
  bool SkipPod(const api::Pod& pod);
  bool Sampled() const;
  // Calls then(ctx) after the preview, while the data of the cycle is still there.
  template <class Fn>
  bool WithPreview(const api::Pod& pod, cycle::CycleResult& result, Fn&& then);
  void RunAttempt(framework::Profile& profile, queue::QueuedPodPtr queued);
  void StartBinding(Attempt& attempt);
  Attempt& NewAttempt();
  void EndAttempt(Attempt& attempt, bool bound);
  void Annotate(const Attempt& attempt, const api::PodRef& pod, bool bound);
  void EndTrace(const Attempt& attempt, bool bound) const;

  // failure_handler.cc
  void BindingFailed(Attempt& attempt, plugin::Status status, bool at_permit);
  void HandleFailure(Attempt& attempt);
  std::string NoteOf(const Attempt& attempt) const;
  api::PodRef Requeue(Attempt& attempt, const api::PodRef& tried);
  void PatchFailure(Attempt& attempt, const api::PodRef& pod);

  api::InternTables& intern_;
  const base::Clock& clock_;
  Writes& writes_;
  AttemptObserver& observer_;
  cache::Cache& cache_;
  queue::SchedulingQueue& queue_;
  cycle::SchedulingCycle& cycle_;
  plugin::ReasonTable& reasons_;
  const PublishedPolicy& policy_;
  const PodLister& pods_;
  bind::WaitingPods& waiting_;
  bind::BindingCycle& binding_;
  const uint64_t seed_, sample_seed_;
  trace::Tracer* const tracer_;
  DecisionRecorder& recorder_;
  FailureNotes* const failure_notes_;
  AnnotationSource* const annotations_;

  using InFlightMap = std::unordered_map<bind::BindJob*, std::unique_ptr<Attempt>>;
  static constexpr size_t kMostSpare = 4096;
  InFlightMap in_flight_;
  std::vector<InFlightMap::node_type> spare_;  // attempts that have ended; their memory is used again
  api::PodCopies assumed_;
  bool ending_ = false;  // since BeginShutdown
};

}  // namespace berth::engine
