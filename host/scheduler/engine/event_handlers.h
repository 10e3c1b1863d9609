// Applies what the sources post to the cache, the object store, and the queue, as kube-scheduler's event handlers do.
// Source: pkg/scheduler/eventhandlers.go.
// Thread: scheduling thread. Ownership: owns the nodes as last posted; the collaborators outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "api/events.h"
#include "api/intern_tables.h"
#include "base/clock.h"
#include "base/text_hash.h"
#include "scheduler/bind/binding_cycle.h"
#include "scheduler/bind/waiting_pods.h"
#include "scheduler/cache/cache.h"
#include "scheduler/engine/attempt.h"
#include "scheduler/engine/instance_feed.h"
#include "scheduler/engine/messages.h"
#include "scheduler/engine/pod_lister.h"
#include "scheduler/engine/published_policy.h"
#include "scheduler/engine/writes.h"
#include "scheduler/objects/store.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::engine {

class EventHandlers {
 public:
  struct Collaborators {
    api::InternTables& intern;
    cache::Cache& cache;
    objects::ObjectStore& objects;
    queue::SchedulingQueue& queue;
    PodLister& pods;
    const PublishedPolicy& policy;
    InstanceFeed& feed;
    bind::WaitingPods& waiting;
    bind::BindingCycle& binding;
    Writes& writes;
    AttemptObserver& observer;
    const base::Clock& clock;
  };
  explicit EventHandlers(const Collaborators& with);
  EventHandlers(const EventHandlers&) = delete;

  // node_events.cc
  void On(NodeSet& message);
  void On(const NodeGone& message);
  void On(const NodesListed& message);

  // pod_events.cc
  void On(PodSet& message);
  void On(const PodGone& message);
  void On(const PodsListed& message);

  // object_events.cc
  void On(ObjectSet& message);
  void On(const ObjectGone& message);
  void On(const ObjectsListed& message);

  // Every list has been posted as a whole once.
  bool synced() const { return nodes_synced_ && pods_synced_ && objects_.synced(); }

 private:
  // The handling of an object starts, and has caused an event.
  void Begin() { began_mono_ns_ = clock_.MonoNs(); }
  void Handled(const api::ClusterEvent& event) { observer_.OnClusterEvent(event, clock_.MonoNs() - began_mono_ns_); }
  void Move(const api::ClusterEvent& event, const queue::EventObjects& objects,
            const queue::SchedulingQueue::PreCheck& pre_check = {});
  void AddPod(const api::PodRef& pod);
  void UpdatePod(const api::PodRef& before, const api::PodRef& after);
  void UpdateAssigned(const api::PodRef& before, const api::PodRef& after);
  void Assigned(const api::PodRef& before, const api::PodRef& after);
  void UpdateUnassigned(const api::PodRef& before, const api::PodRef& after);
  void DeletePod(const api::PodRef& pod);
  void RemovePod(const api::PodRef& pod);
  void AssumedPodDeleted(const api::PodRef& pod);
  void AssumedPodElsewhere(const api::PodRef& assumed);
  void NominationGone(const api::PodRef& pod);
  void MoveForObject(const objects::Change& change);
  void Move(std::string_view resource, uint32_t actions, const queue::EventObjects& objects,
            const queue::SchedulingQueue::PreCheck& pre_check = {});

  api::InternTables& intern_;
  cache::Cache& cache_;
  objects::ObjectStore& objects_;
  queue::SchedulingQueue& queue_;
  PodLister& pods_;
  const PublishedPolicy& policy_;
  InstanceFeed& feed_;
  bind::WaitingPods& waiting_;
  bind::BindingCycle& binding_;
  Writes& writes_;
  AttemptObserver& observer_;
  const base::Clock& clock_;

  base::TextMap<api::NodeRef> nodes_;  // by name
  bool nodes_synced_ = false, pods_synced_ = false;
  int64_t began_mono_ns_ = 0;
};

}  // namespace berth::engine
