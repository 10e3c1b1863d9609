// What the scheduling thread does: applies what other threads have posted, tries one pod, and starts again.
// The parts: event_handlers.h (messages of the sources), attempts.h (scheduling cycle, binding cycle, failures),
// policy_publication.h (candidates), plugin_tasks.h (tasks of plugins). Source: pkg/scheduler/eventhandlers.go,
// schedule_one.go.
//
// Thread: one thread, the scheduling thread, calls Step, NextTimer and everything else that is not marked "any thread".
// Ownership: owns the cache, the queue, the object store, the services and the parts; intern, clock, executor, writes
// and observer belong to the caller and outlive it. Stop the executor before you destroy the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/clock.h"
#include "base/parallelizer.h"
#include "plugin/instance/services.h"
#include "scheduler/bind/binding_cycle.h"
#include "scheduler/bind/executor.h"
#include "scheduler/bind/waiting_pods.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cycle/preempt_extenders.h"
#include "scheduler/cycle/scheduling_cycle.h"
#include "scheduler/engine/annotation_source.h"
#include "scheduler/engine/attempts.h"
#include "scheduler/engine/binding_reports.h"
#include "scheduler/engine/candidate.h"
#include "scheduler/engine/cluster_view.h"
#include "scheduler/engine/decision_recorder.h"
#include "scheduler/engine/event_handlers.h"
#include "scheduler/engine/failure_notes.h"
#include "scheduler/engine/holding_binder.h"
#include "scheduler/engine/instance_feed.h"
#include "scheduler/engine/message_inbox.h"
#include "scheduler/engine/messages.h"
#include "scheduler/engine/nominations.h"
#include "scheduler/engine/plugin_tasks.h"
#include "scheduler/engine/pod_lister.h"
#include "scheduler/engine/policy_publication.h"
#include "scheduler/engine/published_policy.h"
#include "scheduler/engine/writes.h"
#include "scheduler/framework/plugin_queue_policy.h"
#include "scheduler/framework/profile.h"
#include "scheduler/objects/store.h"
#include "scheduler/queue/scheduling_queue.h"
#include "telemetry/trace/tracer.h"

namespace berth::engine {

struct EngineOptions {
  queue::QueueOptions queue;
  queue::QueueObserver* queue_observer = nullptr;  // the caller's, outlives the engine; may be null
  // For the requests of plugins; the caller's, outlives the engine. null: there is no API server.
  plugin::ApiPort* api = nullptr;
  // For their requests to other servers; the caller's, outlives the engine. null: they get no reply.
  plugin::HttpPort* http = nullptr;
  plugin::FaultObserver* fault_observer = nullptr;  // the caller's, outlives the engine; may be null
  plugin::HostDecorator* host_decorator = nullptr;  // the caller's, outlives the engine; may be null
  // Metrics of plugins; the caller's, outlives the engine. null: they are not served.
  series::PluginFamilies* plugin_metrics = nullptr;
  trace::Tracer* tracer = nullptr;  // the caller's, outlives the engine; null: nothing is traced
  uint64_t seed = 1;
  bool check_kept = false;  // SchedulingCycle::set_check_kept
  // Where binding cycles call extenders; the caller's, outlives the engine. null: the executor, whose threads then
  // wait for the replies.
  bind::Executor* blocking = nullptr;
  uint32_t workers = 0;  // threads for slow plugins, in addition to the scheduling thread
  // parallelism of the configuration: the most threads that one plugin call uses, with the scheduling thread
  uint32_t parallelism = 16;
  // The least time that a step reads the inbox before it tries a pod, ns. When the rest of a step takes longer, the
  // next step reads as long as that, so that the inbox gets half of the time. 0: until the inbox is empty, so that the
  // order of events does not depend on the speed of the machine.
  int64_t inbox_slice_ns = 0;
  DecisionOptions decisions = {};
  FailureNotes* failure_notes = nullptr;    // the caller's, outlives the engine; null: kube-scheduler's message alone
  AnnotationSource* annotations = nullptr;  // the caller's, outlives the engine; null: pods are not annotated
};

class Engine final {
 public:
  // observer: may be null.
  Engine(api::InternTables& intern, const base::Clock& clock, bind::Executor& executor, Writes& writes,
         AttemptObserver* observer, const EngineOptions& options);
  ~Engine();
  Engine(const Engine&) = delete;

  // For the instances of the profiles, which end before the engine.
  plugin::Services& services() { return services_; }

  // Publishes the first policy. Call it once before the first Step. The initial sync of its instances runs before the
  // return.
  void SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles);
  // Prepares the candidate between cycles and publishes it when its new instances (with the published policy as
  // Profile::Build's before) know the whole cluster. A second candidate ends the first. Any thread; end is called on
  // the scheduling thread.
  void SubmitCandidate(std::shared_ptr<const framework::ProfileSet> profiles, CandidateEnd end);
  void WithdrawCandidate();  // any thread

  void Post(Message message) { inbox_.Post(std::move(message)); }  // any thread
  // Waits until there is something to do, at most ns.
  void WaitFor(int64_t ns) { inbox_.WaitFor(ns); }
  // Ends a WaitFor. Any thread.
  void Wake() { inbox_.Wake(); }

  // false: a list is still missing, so that a decision would use a part of the cluster.
  bool synced() const { return handlers_.synced(); }
  // false: Step takes no pod from the queue. A new engine takes pods.
  void set_popping(bool popping) { popping_ = popping; }
  // Gives up every attempt that has not bound its pod yet and that waits; the pods return to the queue. See
  // Attempts::GiveUp.
  void GiveUpAttempts(const std::string& cause) { attempts_.GiveUp(cause); }
  // Step takes no more pods; see Attempts::BeginShutdown. Call Step until attempts_in_flight() is 0, or call
  // AbandonAttempts.
  void BeginShutdown();
  // Unreserves what is still in flight. Stop the executor before; only destroy the engine afterwards.
  void AbandonAttempts();

  // Reads the inbox, or a slice of it, fires the timers that are due, and tries one pod. false: there was nothing to
  // do.
  bool Step();
  // When the next timer is due, mono ns of the clock. nullopt: time alone changes nothing.
  std::optional<int64_t> NextTimer() const;

  cache::Cache& cache() { return cache_; }
  queue::SchedulingQueue& queue() { return queue_; }
  // Knows after SetProfiles which kinds the plugins need.
  const objects::ObjectStore& objects() const { return objects_; }
  const framework::ProfileSet& profiles() const { return policy_.profiles(); }
  const base::Clock& clock() const { return clock_; }
  size_t inbox_length() const { return inbox_.size(); }
  std::vector<api::PodRef> Pods() const;  // all that have not finished
  size_t attempts_in_flight() const { return attempts_.n_in_flight(); }
  // Tasks of plugins: how many were posted without a delay, how many have run, and when the next one is due (a part of
  // NextTimer).
  uint64_t prompt_tasks() const { return tasks_.posted_without_delay(); }
  uint64_t tasks_run() const { return tasks_.run(); }
  std::optional<int64_t> NextTask() const { return tasks_.Next(); }
  // Operations that plugins have not ended.
  bind::OpenOperations& open_operations() { return binding_.operations(); }
  using InFlight = InFlightAttempt;
  std::vector<InFlight> AttemptsInFlight() const { return attempts_.InFlight(); }  // by pod
  // "namespace/name"; null: there is none.
  api::PodRef PodByKey(std::string_view key) const { return pods_.ByKey(key); }
  // See Attempts::Preview. Call it between two attempts. Plugins get the changes of the cluster before.
  bool Preview(const api::Pod& pod, cycle::CycleResult& result);
  // Likewise; see Attempts.
  std::vector<std::string> NodesForRoom(const api::Pod& pod, size_t most);
  std::vector<std::string> PodsToLeave(const api::Pod& pod, const std::string& node);
  ClusterView view() { return {cache_, queue_.nominator()}; }
  DecisionRecorder& decisions() { return recorder_; }
  // See consistency.h; one sentence per difference.
  std::vector<std::string> CheckConsistency();

 private:
  // Passes a message to the part that handles it.
  struct Dispatch {
    Engine& engine;
    void operator()(Message& message) { std::visit(*this, message); }
    void operator()(Task& task) { task(); }
    void operator()(TimedTask& message) { engine.tasks_.On(message); }
    void operator()(PermitOver& message) { engine.attempts_.On(message); }
    void operator()(BindingFinished& message) { engine.attempts_.On(message); }
    template <class Event>
    void operator()(Event& event) {
      engine.handlers_.On(event);
    }
  };
  bool FireTimers();
  void Housekeeping();

  // The destructor runs upwards: first the attempts, then the policy with the instances, then the services and the
  // ports, which an instance may call until its end.
  api::InternTables& intern_;
  const base::Clock& clock_;
  cache::Cache cache_;
  objects::ObjectStore objects_;
  MessageInbox inbox_;
  PodLister pods_{intern_.ids};
  HoldingBinder binder_;
  bind::WaitingPods waiting_;
  BindingReports reports_;
  bind::BindingCycle binding_;
  cycle::PreemptExtenders preempt_extenders_;
  plugin::ReasonTable reasons_;
  base::Parallelizer workers_;
  PluginTasks tasks_;
  Nominations nominations_;
  plugin::Services services_;  // its ports are the members above
  PublishedPolicy policy_;
  framework::ProfileQueuePolicy queue_policy_;
  queue::SchedulingQueue queue_;
  cycle::SchedulingCycle cycle_;
  InstanceFeed feed_;
  AttemptObserver silent_;
  DecisionRecorder recorder_;
  Attempts attempts_;
  PolicyPublication publication_;
  EventHandlers handlers_;

  bool popping_ = true;
  uint64_t steps_ = 0;
  size_t reasons_at_last_sweep_ = 0;
};

}  // namespace berth::engine
