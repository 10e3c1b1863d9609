// Publishes policies between two cycles: runs the initial sync of a candidate's new instances, waits for open attempts
// that cannot be handed over, hands over, and makes the candidate the policy of the following attempts.
// Thread: Submit and Withdraw from any thread, everything else from the scheduling thread.
// Ownership: owns the candidate; the collaborators outlive it.
#pragma once

#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/parallelizer.h"
#include "scheduler/bind/waiting_pods.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cycle/preempt_extenders.h"
#include "scheduler/cycle/scheduling_cycle.h"
#include "scheduler/engine/attempts.h"
#include "scheduler/engine/candidate.h"
#include "scheduler/engine/instance_feed.h"
#include "scheduler/engine/message_inbox.h"
#include "scheduler/engine/pod_lister.h"
#include "scheduler/engine/published_policy.h"
#include "scheduler/engine/writes.h"
#include "scheduler/framework/plugin_queue_policy.h"
#include "scheduler/objects/store.h"
#include "scheduler/queue/scheduling_queue.h"

namespace berth::engine {

class PolicyPublication {
 public:
  struct Collaborators {
    const base::Clock& clock;
    MessageInbox& inbox;
    Writes& writes;
    cache::Cache& cache;
    objects::ObjectStore& objects;
    queue::SchedulingQueue& queue;
    framework::ProfileQueuePolicy& queue_policy;
    cycle::SchedulingCycle& cycle;
    cycle::PreemptExtenders& preempt_extenders;
    base::Parallelizer& workers;
    const PodLister& pods;
    bind::WaitingPods& waiting;
    const Attempts& attempts;
    InstanceFeed& feed;
    PublishedPolicy& policy;
  };
  explicit PolicyPublication(const Collaborators& with);
  PolicyPublication(const PolicyPublication&) = delete;

  // Publishes at once, with the whole initial sync.
  void SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles);
  // Prepares the candidate between the following cycles, then publishes it. Ends an earlier candidate.
  void Submit(std::shared_ptr<const framework::ProfileSet> profiles, CandidateEnd end);
  void Withdraw();
  // One slice of the preparation. true: it did something.
  bool Advance();

 private:
  void EndCandidate(base::Result<void> result);
  void Publish(std::shared_ptr<const framework::ProfileSet> profiles);
  void UpdateQueue(const framework::ProfileSet& before);
  void ServeOthers(const framework::ProfileSet& before);
  void DropPod(const api::PodRef& pod);

  const base::Clock& clock_;
  MessageInbox& inbox_;
  Writes& writes_;
  cache::Cache& cache_;
  objects::ObjectStore& objects_;
  queue::SchedulingQueue& queue_;
  framework::ProfileQueuePolicy& queue_policy_;
  cycle::SchedulingCycle& cycle_;
  cycle::PreemptExtenders& preempt_extenders_;
  base::Parallelizer& workers_;
  const PodLister& pods_;
  bind::WaitingPods& waiting_;
  const Attempts& attempts_;
  InstanceFeed& feed_;
  PublishedPolicy& policy_;

  std::optional<Candidate> candidate_;
};

}  // namespace berth::engine
