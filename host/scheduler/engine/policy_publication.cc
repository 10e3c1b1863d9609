#include "scheduler/engine/policy_publication.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "plugin/instance/policy_generation.h"
#include "scheduler/engine/handover.h"
#include "telemetry/log/log.h"

namespace berth::engine {
namespace {

constexpr int64_t kSlice = 50'000;  // ns of initial sync between two cycles

// Where a plugin can send a pod back to the queue.
constexpr plugin::Point kVerdictPoints[] = {plugin::Point::kPreEnqueue, plugin::Point::kPreFilter,
                                            plugin::Point::kFilter, plugin::Point::kReserve, plugin::Point::kPermit};

using framework::Profile;
using framework::ProfileSet;

std::vector<plugin::Instance*> NewIn(const ProfileSet& set, const PublishedPolicy& policy) {
  std::vector<plugin::Instance*> fresh;
  for (const auto& profile : set.profiles) {
    for (const auto& instance : profile->instances()) {
      if (!policy.Has(instance.get())) fresh.push_back(instance.get());
    }
  }
  return fresh;
}

// The plugin of a new instance that shares its state with an instance that the host has quarantined; "": none.
std::string LostPredecessor(const InitialSync& sync, const ProfileSet& published) {
  for (const auto& profile : published.profiles) {
    for (const auto& instance : profile->instances()) {
      if (!instance->quarantined()) continue;
      for (const plugin::Instance* fresh : sync.instances()) {
        if (fresh->SharesStateWith(*instance)) return fresh->name();
      }
    }
  }
  return {};
}

// true: both profiles call the same instance of the plugin at the same points that give verdicts.
bool DecideAlike(const Profile& a, const Profile& b, base::Id name) {
  const plugin::Instance* instance = a.Find(name);
  if (instance == nullptr || b.Find(name) != instance) return false;
  return std::all_of(std::begin(kVerdictPoints), std::end(kVerdictPoints), [&](plugin::Point point) {
    const auto asked = [&](const Profile& profile) {
      const auto& at = profile.At(point);
      return std::find(at.begin(), at.end(), instance) != at.end();
    };
    return asked(a) == asked(b);
  });
}

// The columns that the instances have named in activate.
void OpenLabelColumns(const ProfileSet& set, cache::Cache& cache) {
  for (const auto& profile : set.profiles) {
    for (const auto& instance : profile->instances()) {
      for (const base::OwnedId& key : instance->needed_label_columns()) cache.OpenLabelColumn(key.get());
    }
  }
}

void ApplySettings(const framework::LiveSettings& settings, base::Parallelizer& workers,
                   queue::SchedulingQueue& queue) {
  workers.SetParallelism(settings.parallelism);
  queue.SetBackoff(settings.pod_initial_backoff_ns, settings.pod_max_backoff_ns);
  log::SetVerbosity(settings.verbosity);
}

}  // namespace

PolicyPublication::PolicyPublication(const Collaborators& with)
    : clock_(with.clock),
      inbox_(with.inbox),
      writes_(with.writes),
      cache_(with.cache),
      objects_(with.objects),
      queue_(with.queue),
      queue_policy_(with.queue_policy),
      cycle_(with.cycle),
      preempt_extenders_(with.preempt_extenders),
      workers_(with.workers),
      pods_(with.pods),
      waiting_(with.waiting),
      attempts_(with.attempts),
      feed_(with.feed),
      policy_(with.policy) {}

// The initial sync includes all that has happened until now, so the other instances get it before.
void PolicyPublication::SetProfiles(std::shared_ptr<const ProfileSet> profiles) {
  InitialSync sync(NewIn(*profiles, policy_), cache_, objects_);
  feed_.DeliverChanges();
  sync.DeliverAll();
  Publish(std::move(profiles));
}

void PolicyPublication::Submit(std::shared_ptr<const ProfileSet> profiles, CandidateEnd end) {
  inbox_.Post(Task([this, profiles = std::move(profiles), end = std::move(end)] {
    EndCandidate(base::Fail("another generation was offered"));
    feed_.DeliverChanges();
    feed_.BeginSync(InitialSync(NewIn(*profiles, policy_), cache_, objects_));
    candidate_ = Candidate{.profiles = profiles, .end = end};
  }));
}

void PolicyPublication::Withdraw() {
  inbox_.Post(Task([this] { EndCandidate(base::Fail("withdrawn")); }));
}

void PolicyPublication::EndCandidate(base::Result<void> result) {
  if (!candidate_) return;
  const Candidate ended = *std::exchange(candidate_, std::nullopt);
  feed_.EndSync();
  ended.end(std::move(result));
}

bool PolicyPublication::Advance() {
  if (!candidate_ || !objects_.synced()) return false;
  InitialSync& sync = *feed_.sync();
  const bool told = sync.DeliverMore(clock_, kSlice);
  if (!sync.know_everything()) return told;
  for (const plugin::Instance* instance : sync.instances()) {
    if (instance->faults() == 0) continue;
    EndCandidate(base::Fail("plugin \"" + instance->name() + "\" failed while it was told what the cluster has"));
    return true;
  }
  if (const std::string lost = LostPredecessor(sync, policy_.profiles()); !lost.empty()) {
    EndCandidate(base::Fail("plugin \"" + lost + "\" was put into quarantine while its successor was prepared"));
    return true;
  }
  if (MustWaitForAttempts(attempts_, *candidate_->profiles)) return told;
  const Candidate taken = *std::exchange(candidate_, std::nullopt);
  Publish(taken.profiles);
  feed_.EndSync();  // they are now the policy's
  taken.end({});
  return true;
}

void PolicyPublication::Publish(std::shared_ptr<const ProfileSet> profiles) {
  const std::shared_ptr<const ProfileSet> before = policy_.Replace(std::move(profiles));
  const ProfileSet& now = policy_.profiles();
  OpenLabelColumns(now, cache_);
  plugin::SetPublishedGeneration(now.generation);
  if (now.settings) ApplySettings(*now.settings, workers_, queue_);
  cycle_.set_extenders(now.extenders);
  preempt_extenders_.set_extenders(now.extenders);
  feed_.UpdateDeltaMask();
  if (before != nullptr) {
    HandOverStates(*before, now);
    HandOverAttempts(attempts_, policy_.shared());
  }
  queue_policy_.SetProfiles(policy_.shared());
  queue_.RebuildRegistrations();
  if (before != nullptr) UpdateQueue(*before);
}

// Pods that wait in the queue, under the new policy.
void PolicyPublication::UpdateQueue(const ProfileSet& before) {
  const ProfileSet& now = policy_.profiles();
  const auto& sorters = before.profiles.front()->At(plugin::Point::kQueueSort);
  if (sorters != now.profiles.front()->At(plugin::Point::kQueueSort)) queue_.ResortActive();
  // A pod may fit if the plugin that rejected it decides otherwise, was removed, or is no longer called at that point.
  queue_.RetryRejectedBy([&](base::Id scheduler, base::Id plugin) {
    const Profile *old_profile = before.Find(scheduler), *profile = now.Find(scheduler);
    return old_profile != nullptr && profile != nullptr && !DecideAlike(*old_profile, *profile, plugin);
  });
  ServeOthers(before);
}

// Queues the pods of a schedulerName that has a profile from now on, and drops those of one that no longer has.
void PolicyPublication::ServeOthers(const ProfileSet& before) {
  const auto& now = policy_.profiles().profiles;
  const bool same = now.size() == before.profiles.size() && std::all_of(now.begin(), now.end(), [&](const auto& p) {
                      return before.Find(p->scheduler_name_id()) != nullptr;
                    });
  if (same) return;
  pods_.ForEach([&](const api::PodRef& pod) {
    const bool was = before.Find(pod->abi.scheduler_name) != nullptr, is = policy_.Responsible(*pod);
    if (pod->abi.node_name != base::kNoId || was == is) return;
    if (!is) return DropPod(pod);
    if (!cache_.IsAssumed(pod->uid())) queue_.Add(pod);
  });
}

// No profile has the pod's schedulerName: the pod leaves the queue and loses its nomination.
void PolicyPublication::DropPod(const api::PodRef& pod) {
  if (cache_.IsAssumed(pod->uid())) {
    waiting_.RejectRemoved(pod->uid());  // after Permit the binding cycle continues
    return;
  }
  queue_.Delete(*pod);
  if (pod->abi.nominated_node != base::kNoId) writes_.PatchStatus(pod, {.nominated_node = ""});
}

}  // namespace berth::engine
