// The scheduling thread's work: what the cluster says goes into cache and queue, then one pod is tried, then again.
// Source: pkg/scheduler/eventhandlers.go, schedule_one.go; core.md 1.1, 1.15, 6.4.
//
// Thread: one thread calls Step, NextTimer and everything else here; Post and the ports may be used from any thread.
// Ownership: owns cache, queue and attempts; words, services, executor, clock, writes and observer are the caller's and
// outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "api/node.h"
#include "api/pod.h"
#include "base/clock.h"
#include "base/inbox.h"
#include "base/parallelizer.h"
#include "bind/binding_cycle.h"
#include "bind/executor.h"
#include "bind/waiting_pods.h"
#include "cache/cache.h"
#include "cycle/preempt_extenders.h"
#include "cycle/scheduling_cycle.h"
#include "engine/attempt.h"
#include "engine/nominations.h"
#include "engine/offer.h"
#include "engine/timed_tasks.h"
#include "engine/writes.h"
#include "framework/profile.h"
#include "framework/queue_policy.h"
#include "objects/store.h"
#include "plugin/services.h"
#include "queue/scheduling_queue.h"

namespace berth::engine {

// What a source tells: an object as it is now, or that it is gone. Pods that are over (Succeeded, Failed) count as
// gone.
struct NodeSet {
  api::NodeRef node;
};
struct NodeGone {
  std::string name;
};
struct PodSet {
  api::PodRef pod;
};
struct PodGone {
  std::string key;
};  // "namespace/name"
// The events of a whole list have been posted. present: the keys that it had, so that what is known and not among them
// is gone; null at a first list, when nothing older can be known.
using KeySet = std::unordered_set<std::string>;
struct NodesListed {
  std::shared_ptr<const KeySet> present;  // names
};
struct PodsListed {
  std::shared_ptr<const KeySet> present;  // "namespace/name"
};
// The same of every other kind of object that a plugin needs; kind is the object store's number of it.
struct ObjectSet {
  objects::KindId kind;
  objects::ObjectRef object;
};
struct ObjectGone {
  objects::KindId kind;
  std::string key;  // "namespace/name", or the name of what has no namespace
};
struct ObjectsListed {
  objects::KindId kind;
  std::shared_ptr<const KeySet> present;
};
// Runs on the scheduling thread between two cycles.
using Task = std::function<void()>;
using SourceEvent = std::variant<NodeSet, NodeGone, PodSet, PodGone, NodesListed, PodsListed, ObjectSet, ObjectGone,
                                 ObjectsListed, Task>;

struct EngineOptions {
  queue::QueueOptions queue;
  queue::QueueObserver* queue_observer = nullptr;  // the caller's, outlives the engine
  uint64_t seed = 1;
  bool check_kept = false;  // SchedulingCycle::set_check_kept
  // Where extenders are asked to bind, the caller's, outlives the engine; null: the executor, whose threads then wait.
  bind::Executor* blocking = nullptr;
  uint32_t workers = 0;  // threads beside the scheduling thread that slow plugins are split over
  // parallelism of the configuration: how many of them all, the scheduling thread among them, are used at most
  uint32_t parallelism = 16;
  // How long a step reads the inbox before it tries a pod, at least; when the rest of a step takes longer, as long as
  // that, so that the inbox has half of the time. 0: until it is empty, which does not depend on how fast the machine
  // is.
  int64_t inbox_slice_ns = 0;
};

class Engine final : public bind::BindingPort, public queue::PodLookup {
 public:
  Engine(api::Vocabulary& words, plugin::Services& services, const base::Clock& clock, bind::Executor& executor,
         Writes& writes, AttemptObserver* observer, const EngineOptions& options);
  ~Engine() override;

  // The policy in force from the next cycle on. Must be called once before the first Step; new instances are told at
  // once what there is.
  void SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles);
  // The next generation: its new instances (Profile::Build's before is the profile in force) are told what there is,
  // little by little between cycles, then it comes into force as a whole. One at a time: a second one ends the first.
  // Any thread; end comes on the scheduling thread.
  void OfferProfiles(std::shared_ptr<const framework::ProfileSet> profiles, OfferEnd end);
  void WithdrawOffer();  // any thread
  // EngineOptions::parallelism, from the next call of a plugin on; any thread.
  void SetParallelism(uint32_t threads) { workers_.SetParallelism(threads); }

  void Post(SourceEvent event) { inbox_.Push(std::move(event)); }  // any thread
  // Waits for something to do, at most ns.
  void WaitFor(int64_t ns) { inbox_.WaitFor(ns); }
  // Ends a WaitFor. Any thread.
  void Wake() { inbox_.inbox.Wake(); }

  // Until all lists have been posted whole a decision would rest on half a cluster.
  bool synced() const { return nodes_synced_ && pods_synced_ && objects_.synced(); }
  // false: Step pops no pod. A new engine pops.
  void set_popping(bool popping) { popping_ = popping; }
  // The scheduler ends: no pod is popped any more, pods held by Permit are rejected, those whose PreBind has not ended
  // are given up, and what fails from now on is neither queued nor reported. Other bindings under way go on; Step until
  // attempts_in_flight() is 0 or patience ends.
  void BeginShutdown();
  // The executor has been stopped: unreserves what is still in flight. Nothing but destruction may follow.
  void AbandonAttempts();

  // Reads the inbox, or a slice of it; fires timers that are due, tries one pod. false: nothing was there to do.
  bool Step();
  // The next time at which a timer will be due, as mono ns of the clock; nullopt = time alone changes nothing.
  std::optional<int64_t> NextTimer() const;

  cache::Cache& cache() { return cache_; }
  queue::SchedulingQueue& queue() { return *queue_; }
  // Once the profiles are set it knows which kinds are needed.
  const objects::ObjectStore& objects() const { return objects_; }
  const framework::ProfileSet& profiles() const { return *profiles_; }
  size_t attempts_in_flight() const { return attempts_.size(); }
  // How many tasks of plugins were posted for at once, how many have run, and when the next is due (part of NextTimer).
  uint64_t prompt_tasks() const { return plugin_tasks_.prompt.load(std::memory_order_relaxed); }
  uint64_t tasks_run() const { return tasks_run_; }
  std::optional<int64_t> NextTask() const { return tasks_.Next(); }
  // Operations that plugins have not ended.
  bind::OpenOperations& open_operations() { return binding_.operations(); }
  // A pod between its decision and the end of its binding.
  struct InFlight {
    std::string pod, profile, node;  // "namespace/name", schedulerName, name
  };
  std::vector<InFlight> AttemptsInFlight() const;  // by pod
  api::PodRef PodByKey(std::string_view key) const;
  // Recomputes cache columns, plugins' counts and queue invariants; one sentence per difference.
  std::vector<std::string> CheckConsistency();

  // queue::PodLookup
  const api::Pod* FindPod(std::string_view key) const override;

  // bind::BindingPort, on executor threads.
  void SetNominatedNode(bind::BindJob& job) override;
  void PermitOver(bind::BindJob& job) override;
  void BoundByExtender(bind::BindJob& job) override;
  void Finished(bind::BindJob& job, plugin::Status status, bool at_permit) override;

 private:
  struct PermitOverMessage {
    std::string uid;
  };
  struct FinishedMessage {
    bind::BindJob* job;
    plugin::Status status;
    bool at_permit;
  };
  struct TimedTask {
    int64_t due_mono_ns;
    Task fn;
  };
  using Message = std::variant<NodeSet, NodeGone, PodSet, PodGone, NodesListed, PodsListed, ObjectSet, ObjectGone,
                               ObjectsListed, Task, TimedTask, PermitOverMessage, FinishedMessage>;
  struct InboxAdapter {
    base::Inbox<Message> inbox;
    void Push(SourceEvent event) {
      std::visit([this](auto& e) { inbox.Push(Message(std::move(e))); }, event);
    }
    void WaitFor(int64_t ns) { inbox.WaitFor(ns); }
  };

  // engine.cc
  bool Drain();
  bool DrainFor(int64_t slice_ns);
  int64_t NextSlice();
  bool FireTimers();
  bool ScheduleOne();
  void DeliverDeltas();
  void TellChanges();
  void Housekeeping();
  void MakeQueue();

  // events.cc
  void On(NodeSet& e);
  void On(NodeGone& e);
  void On(PodSet& e);
  void On(PodGone& e);
  void On(NodesListed& e);
  void On(PodsListed& e);
  static void On(Task& task) { task(); }
  void On(TimedTask& task);
  void On(PermitOverMessage& m);
  void On(FinishedMessage& m);
  void AddPod(const api::PodRef& pod);
  void UpdatePod(const api::PodRef& before, const api::PodRef& after);
  void UpdateUnassigned(const api::PodRef& before, const api::PodRef& after);
  void DeletePod(const api::PodRef& pod);
  void AssumedPodDeleted(const api::PodRef& pod);
  void AssumedPodElsewhere(const api::PodRef& assumed);
  bool Responsible(const api::Pod& pod) const { return profiles_->Find(pod.abi.scheduler_name) != nullptr; }
  void Move(std::string_view resource, uint32_t actions, queue::EventObjects objects,
            const queue::SchedulingQueue::PreCheck& pre_check = {});

  // objects.cc
  void On(ObjectSet& e);
  void On(ObjectGone& e);
  void On(ObjectsListed& e);
  void DeliverObjectChanges();
  void MoveForObject(const objects::Change& change);

  // publication.cc
  void TellBefore();
  void SetDeltaMask(uint32_t more);
  void KeepTelling(const framework::ProfileSet& before);
  // fn(Instance&) for each that may still be asked something: of the generation in force, and of those before that open
  // attempts hold.
  template <class Fn>
  void ForEachInstance(Fn&& fn) {
    for (const auto& profile : profiles_->profiles) {
      for (const auto& instance : profile->instances()) fn(*instance);
    }
    std::erase_if(draining_, [&](const std::weak_ptr<plugin::Instance>& one) {
      const std::shared_ptr<plugin::Instance> instance = one.lock();
      if (instance != nullptr) fn(*instance);
      return instance == nullptr;
    });
  }
  bool AdvanceOffer();
  void EndOffer(base::Result<void> result);
  void Publish(std::shared_ptr<const framework::ProfileSet> profiles);
  static bool JudgeAlike(const framework::Profile& a, const framework::Profile& b, base::Id plugin);
  void ServeOthers(const framework::ProfileSet& before);
  void LetGo(const api::PodRef& pod);

  // handover.cc
  void HandOverStates(const framework::ProfileSet& before);
  static plugin::Instance* HolderOf(const Attempt& attempt, plugin::Instance& first);
  template <class Fn>
  void ForEachHeir(const framework::ProfileSet& next, Fn&& fn) const;
  bool MustWaitForAttempts(const framework::ProfileSet& next) const;
  void HandOverAttempts(const framework::ProfileSet& next);
  static void HandOverAttempt(Attempt& attempt, plugin::Instance& holder,
                              const std::shared_ptr<plugin::Instance>& successor);
  static void SettleAdopted(Attempt& attempt, bool bound);

  // tasks.cc
  bool RunTasks();
  bool ActivateLater(std::string_view uid);
  void ActivatePods();
  api::PodRef PodByUid(std::string_view uid);

  // attempts.cc
  bool SkipPod(const api::Pod& pod);
  void RunAttempt(framework::Profile& profile, queue::QueuedPodPtr queued);
  void StartBinding(Attempt& attempt);
  Attempt& NewAttempt();
  void EndAttempt(Attempt& attempt, bool bound);
  void HandleFailure(Attempt& attempt);
  void PatchFailure(Attempt& attempt, const api::PodRef& pod);
  void BindingFailed(Attempt& attempt, plugin::Status status, bool at_permit);

  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
  };

  api::Vocabulary& words_;
  plugin::Services& services_;
  const base::Clock& clock_;
  Writes& writes_;
  // Remembers that the host will end the operation.
  struct HoldingBinder final : plugin::BinderPort {
    explicit HoldingBinder(Writes& writes) : writes(writes) {}
    void Bind(const berth_pod& pod, std::string_view node, berth_op* op) override;
    Writes& writes;
  };
  HoldingBinder binder_{writes_};
  struct PluginTasks final : plugin::TaskPort {
    explicit PluginTasks(Engine& engine) : engine(engine) {}
    void Post(int64_t delay_ns, std::function<void()> fn) override;
    bool Activate(std::string_view uid) override;
    int64_t WallUnixNs() const override;
    Engine& engine;
    std::atomic<uint64_t> prompt{0};
  };
  PluginTasks plugin_tasks_{*this};
  AttemptObserver silent_;
  AttemptObserver& observer_;
  const EngineOptions options_;

  std::shared_ptr<const framework::ProfileSet> profiles_;
  std::unique_ptr<Offer> offer_;
  std::vector<std::weak_ptr<plugin::Instance>> draining_;  // of generations before, while attempts hold them
  std::unordered_map<std::string, api::PodRef, TextHash, std::equal_to<>> pods_;  // by namespace/name
  std::unordered_map<std::string, api::NodeRef, TextHash, std::equal_to<>> nodes_;
  cache::Cache cache_;
  objects::ObjectStore objects_{words_};
  std::vector<objects::Change> object_changes_;  // being delivered
  plugin::ReasonTable reasons_;
  base::Parallelizer workers_;
  std::unique_ptr<framework::ProfileQueuePolicy> policy_;
  std::unique_ptr<queue::SchedulingQueue> queue_;
  std::unique_ptr<cycle::SchedulingCycle> cycle_;
  cycle::PreemptExtenders preempt_extenders_{cache_};
  bind::WaitingPods waiting_{words_.ids};
  bind::BindingCycle binding_;
  friend class Nominations;
  Nominations nominations_{*this};

  InboxAdapter inbox_;
  std::vector<Message> drained_;  // taken out of the inbox; read up to:
  size_t next_drained_ = 0;
  int64_t drain_ended_mono_ns_ = 0;
  std::unordered_map<bind::BindJob*, std::unique_ptr<Attempt>> attempts_;  // in flight
  std::vector<std::unique_ptr<Attempt>> spare_attempts_;
  std::vector<cache::Delta> deltas_;
  TimedTasks tasks_;
  uint64_t tasks_run_ = 0;
  std::vector<api::PodRef> to_activate_;  // when the call now running is over
  std::optional<std::unordered_map<std::string, std::string, TextHash, std::equal_to<>>> keys_by_uid_;  // of pods_
  bool nodes_synced_ = false, pods_synced_ = false;
  bool popping_ = true;
  bool ending_ = false;
  uint64_t steps_ = 0;
  size_t reasons_at_last_sweep_ = 0;
};

}  // namespace berth::engine
