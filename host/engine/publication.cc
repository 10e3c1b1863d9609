// How a generation of policy comes into force between two cycles. Source: plugin-abi.md §4 steps 8 to 10, abi-review
// F9.
#include <algorithm>

#include "engine/engine.h"
#include "log/log.h"
#include "plugin/policy_in_force.h"

namespace berth::engine {
namespace {

constexpr int64_t kSlice = 50'000;  // ns of telling newcomers, between two cycles

// Where a plugin can send a pod back to the queue.
constexpr plugin::Point kVerdictPoints[] = {plugin::Point::kPreEnqueue, plugin::Point::kPreFilter,
                                            plugin::Point::kFilter, plugin::Point::kReserve, plugin::Point::kPermit};

using framework::Profile;
using framework::ProfileSet;

bool IsIn(const ProfileSet* set, const plugin::Instance* instance) {
  return set != nullptr && std::any_of(set->profiles.begin(), set->profiles.end(),
                                       [&](const auto& profile) { return profile->Has(instance); });
}

std::vector<plugin::Instance*> NewIn(const ProfileSet& set, const ProfileSet* before) {
  std::vector<plugin::Instance*> fresh;
  for (const auto& profile : set.profiles) {
    for (const auto& instance : profile->instances()) {
      if (!IsIn(before, instance.get())) fresh.push_back(instance.get());
    }
  }
  return fresh;
}

// The plugin of a newcomer that shares its state with one which is in quarantine by now; "": there is none.
std::string LostPredecessor(const Newcomers& newcomers, const ProfileSet& in_force) {
  for (const auto& profile : in_force.profiles) {
    for (const auto& instance : profile->instances()) {
      if (!instance->quarantined()) continue;
      for (const plugin::Instance* newcomer : newcomers.instances()) {
        if (newcomer->SharesStateWith(*instance)) return newcomer->name();
      }
    }
  }
  return {};
}

}  // namespace

void Engine::SetProfiles(std::shared_ptr<const ProfileSet> profiles) {
  Newcomers newcomers(NewIn(*profiles, profiles_.get()), cache_, objects_);
  TellBefore();
  newcomers.TellAll();
  Publish(std::move(profiles));
}

void Engine::OfferProfiles(std::shared_ptr<const ProfileSet> profiles, OfferEnd end) {
  Post(Task([this, profiles = std::move(profiles), end = std::move(end)] {
    EndOffer(base::Fail("another generation was offered"));
    TellBefore();
    Newcomers newcomers(NewIn(*profiles, profiles_.get()), cache_, objects_);
    SetDeltaMask(newcomers.delta_mask());
    offer_ = std::make_unique<Offer>(Offer{profiles, end, std::move(newcomers)});
  }));
}

void Engine::WithdrawOffer() {
  Post(Task([this] { EndOffer(base::Fail("withdrawn")); }));
}

// more: BERTH_DELTA_* that newcomers want.
void Engine::SetDeltaMask(uint32_t more) {
  ForEachInstance([&](const plugin::Instance& instance) {
    if (instance.tables().deltas != nullptr) more |= instance.tables().deltas->mask;
  });
  cache_.set_delta_mask(more);
}

// Instances that are not asked about new pods any more hear of the cluster until the attempts that they began have
// ended.
void Engine::KeepTelling(const ProfileSet& before) {
  for (const auto& profile : before.profiles) {
    for (const auto& instance : profile->instances()) {
      if (!IsIn(profiles_.get(), instance.get())) draining_.push_back(instance);
    }
  }
}

// What has happened until now is everybody's but a newcomer's, who will be told what there is.
void Engine::TellBefore() {
  if (profiles_ != nullptr) return TellChanges();
  cache_.TakeDeltas(deltas_);
  deltas_.clear();
  objects_.TakeChanges(object_changes_);
  object_changes_.clear();
}

void Engine::EndOffer(base::Result<void> result) {
  if (offer_ == nullptr) return;
  const std::unique_ptr<Offer> ended = std::move(offer_);
  SetDeltaMask(0);
  ended->end(std::move(result));
}

// One slice of an offer's way into force; true: something was done.
bool Engine::AdvanceOffer() {
  if (offer_ == nullptr || !objects_.synced()) return false;
  Newcomers& newcomers = offer_->newcomers;
  const bool told = newcomers.TellMore(clock_, kSlice);
  if (!newcomers.know_everything()) return told;
  for (const plugin::Instance* instance : newcomers.instances()) {
    if (instance->faults() == 0) continue;
    EndOffer(base::Fail("plugin \"" + instance->name() + "\" failed while it was told what the cluster has"));
    return true;
  }
  if (const std::string lost = LostPredecessor(newcomers, *profiles_); !lost.empty()) {
    EndOffer(base::Fail("plugin \"" + lost + "\" was put into quarantine while its successor was prepared"));
    return true;
  }
  if (MustWaitForAttempts(*offer_->profiles)) return told;
  const std::unique_ptr<Offer> taken = std::move(offer_);
  Publish(taken->profiles);
  taken->end({});
  return true;
}

void Engine::Publish(std::shared_ptr<const ProfileSet> profiles) {
  const std::shared_ptr<const ProfileSet> before = std::exchange(profiles_, std::move(profiles));
  plugin::NotePolicyInForce(profiles_->generation);
  const bool first = queue_ == nullptr;
  if (first) MakeQueue();
  cycle_->set_extenders(profiles_->extenders);
  preempt_extenders_.set_extenders(profiles_->extenders);
  if (!first) KeepTelling(*before);
  SetDeltaMask(0);
  if (first) return;
  HandOverStates(*before);
  HandOverAttempts(*profiles_);
  policy_->SetProfiles(profiles_);
  queue_->RebuildRegistrations();
  const auto& sorters = before->profiles.front()->At(plugin::Point::kQueueSort);
  if (sorters != profiles_->profiles.front()->At(plugin::Point::kQueueSort)) queue_->ResortActive();
  // A pod that was rejected by what judges otherwise now, or is gone, or no longer asked there, may fit.
  queue_->RetryRejectedBy([&](base::Id scheduler, base::Id plugin) {
    const Profile *old = before->Find(scheduler), *now = profiles_->Find(scheduler);
    return old != nullptr && now != nullptr && !JudgeAlike(*old, *now, plugin);
  });
  ServeOthers(*before);
}

// Whether a plugin would be asked for its verdict at the same points by the same instance.
bool Engine::JudgeAlike(const Profile& a, const Profile& b, base::Id name) {
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

// Pods of a schedulerName that is served from now on are queued, those of one that is not any more are let go.
void Engine::ServeOthers(const ProfileSet& before) {
  const auto served_otherwise = [&](const api::Pod& pod) {
    return (before.Find(pod.abi.scheduler_name) != nullptr) != Responsible(pod);
  };
  const auto& now = profiles_->profiles;
  const bool same = now.size() == before.profiles.size() && std::all_of(now.begin(), now.end(), [&](const auto& p) {
                      return before.Find(p->scheduler_name_id()) != nullptr;
                    });
  if (same) return;
  for (const auto& [key, pod] : pods_) {
    if (pod->abi.node_name != base::kNoId || !served_otherwise(*pod)) continue;
    if (Responsible(*pod)) {
      if (!cache_.IsAssumed(pod->uid)) queue_->Add(pod);
    } else {
      LetGo(pod);
    }
  }
}

// The pod's schedulerName is nobody's here any more: it neither waits nor keeps what was promised to it.
void Engine::LetGo(const api::PodRef& pod) {
  if (cache_.IsAssumed(pod->uid)) {
    waiting_.RejectRemoved(pod->uid);  // one that is being bound goes on
    return;
  }
  queue_->Delete(*pod);
  if (pod->abi.nominated_node != base::kNoId) writes_.PatchStatus(pod, StatusPatch{std::nullopt, ""});
}

}  // namespace berth::engine
