// The life of a gang: which members have a node, which wait, when all may be bound, and when all give up.
//
// A member that has a node is bound (the API server says so), released (it may be bound) or waiting (Permit holds it).
// Only the host knows which members still wait, because a timeout or another plugin also ends a wait. So the members
// are released together, between two cycles, after the host has been asked (Complete): then the pod that completed the
// gang has passed every Permit plugin, and no pod is counted whose wait is over (scheduler-plugins#930).
//
// Thread: [serial], except Leave: [bind].
#pragma once

#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "args.h"
#include "groups.h"
#include "room_changes.h"
#include "siblings.h"

namespace plugins::coscheduling {

using berth::sdk::Status;

class Gang {
 public:
  Gang(Host& host, const berth::sdk::Tasks& tasks, Groups& groups, const Siblings& siblings, const RoomChanges& changes,
       const CoschedulingArgs& args)
      : host_(host), tasks_(tasks), groups_(groups), siblings_(siblings), changes_(changes), args_(args) {}

  // Permit. wait: how long the pod waits for the others.
  Status Permit(const Pod& pod, Id node, std::chrono::nanoseconds& wait) {
    if (groups_.NameOf(pod) == berth::sdk::kNoId) return Status::Ok();
    const Uids bound = siblings_.Bound(pod.ns(), groups_.NameOf(pod), pod.uid());
    const std::string uid(pod.uid());
    bool complete = false, first = false, perhaps = false;
    const bool grouped = groups_.With(pod, [&](Group& group) {
      Prune(group, pod);
      const int settled = static_cast<int>(bound.size()) + group.Count(Stage::kReleased) + 1;
      const int waiting = group.Count(Stage::kWaiting);
      complete = settled >= group.facts.min_member;
      perhaps = settled + waiting >= group.facts.min_member;
      first = waiting == 0;
      group.members[uid] = {complete ? Stage::kReleased : Stage::kWaiting, std::string(host_.Text(node))};
      group.failed.erase(uid);
      if (complete) group.NoteSuccess();
      wait = complete ? std::chrono::nanoseconds(0) : Timeout(group.facts);
    });
    if (!grouped) return Status::Unschedulable("PodGroup not found");
    if (perhaps) CompleteSoon(groups_.KeyOf(pod));
    if (complete) return Status::Ok();
    if (first) siblings_.Activate(pod.ns(), groups_.NameOf(pod), pod.uid());
    return Status::Wait();
  }

  // PostFilter: the pod has failed, so its group may be hopeless. tried: PreFilter let it pass.
  Status AfterFailure(const Pod& pod, bool tried) {
    PodGroup facts;
    if (!groups_.With(pod, [&](const Group& group) { facts = group.facts; })) {
      return Status::Unschedulable("can not find pod group");
    }
    const std::vector<std::string> waiting = siblings_.Waiting(pod.ns(), groups_.NameOf(pod));
    const int assigned = Settled(pod) + static_cast<int>(waiting.size());
    if (assigned >= facts.min_member) return Status(BERTH_UNSCHEDULABLE);
    const double missing = static_cast<double>(facts.min_member - assigned) / static_cast<double>(facts.min_member);
    if (missing <= static_cast<double>(args_.reject_percentage) / 100.0) return Status(BERTH_UNSCHEDULABLE);
    if (OthersSuffice(pod)) return Status(BERTH_UNSCHEDULABLE);
    if (tried) NoteLostRound(pod);
    Reject(groups_.KeyOf(pod), waiting, "optimistic rejection in PostFilter");
    BackOff(pod, facts.min_member);
    return Status::Unschedulable("PodGroup " + groups_.Full(pod.ns(), groups_.NameOf(pod)) +
                                 " gets rejected due to Pod " + std::string(pod.name()) +
                                 " is unschedulable even after PostFilter");
  }

  // Unreserve. [bind] When a member fails on its own, the others give up as well.
  void Leave(const Pod& pod) {
    bool alone = false;
    const int64_t now = tasks_.WallUnixNs();
    const bool grouped = groups_.With(pod, [&](Group& group) {
      const auto at = group.members.find(std::string(pod.uid()));
      alone = at == group.members.end() || at->second.stage != Stage::kRejected;
      if (at != group.members.end()) group.members.erase(at);
      if (alone) group.NoteFailure(now);
    });
    if (!grouped || !alone) return;
    Reject(groups_.KeyOf(pod), siblings_.Waiting(pod.ns(), groups_.NameOf(pod)), "rejection in Unreserve");
  }

  // The PodGroup was deleted: no pod waits for it any more.
  void Disband(std::string_view ns, std::string_view name) {
    const auto key = groups_.Find(ns, name);
    if (!key) return;
    Place place;
    groups_.With(*key, [&](const Group& group) { place = {group.ns, group.name}; });
    Reject(*key, siblings_.Waiting(place.ns, place.name), "PodGroup not found");
    groups_.Forget(ns, name);
  }

  // Between two cycles, releases the members if the gang is complete.
  void CompleteSoon(Groups::Key key) {
    bool post = false;
    groups_.With(key, [&](Group& group) {
      post = !group.completion_posted && group.Count(Stage::kWaiting) > 0;
      group.completion_posted = group.completion_posted || post;
    });
    if (post) tasks_.Post([this, key] { Complete(key); });
  }

  // For the groups whose backoff began in an earlier instance.
  void RetryBackedOff() {
    const int64_t now = tasks_.WallUnixNs();
    std::vector<std::pair<Groups::Key, int64_t>> later;
    groups_.Each([&](Groups::Key key, const Group& group) {
      if (group.backed_off_until > now) later.emplace_back(key, group.backed_off_until);
    });
    for (const auto& [key, until] : later) RetryAfter(key, until, std::chrono::nanoseconds(until - now));
  }

 private:
  struct Place {
    Id ns = berth::sdk::kNoId, name = berth::sdk::kNoId;
  };
  static constexpr int64_t kSecond = 1'000'000'000;
  static constexpr int64_t kDefaultWaitSeconds = 60;  // DefaultWaitTime

  // Removes the members that are bound or deleted, and an earlier attempt of the pod.
  void Prune(Group& group, const Pod& pod) const {
    if (group.members.empty()) return;
    const Uids pending = siblings_.Pending(group.ns, group.name, pod.uid());
    std::erase_if(group.members, [&](const auto& member) { return !pending.contains(member.first); });
  }

  // Whether the group has enough pods without those that fit nowhere.
  bool OthersSuffice(const Pod& pod) {
    bool suffice = false;
    groups_.With(pod, [&](Group& group) {
      group.failed.emplace(pod.uid());
      const auto ready = siblings_.Ready(pod);
      std::erase_if(group.failed, [&](const std::string& uid) { return !ready.contains(uid); });
      suffice = std::ssize(ready) - std::ssize(group.failed) >= group.facts.min_member;
    });
    return suffice;
  }
  void NoteLostRound(const Pod& pod) {
    groups_.With(pod, [&](Group& group) {
      ++group.rounds_lost;
      group.gave_up_at = changes_.now();
      group.gave_up_unix_ns = tasks_.WallUnixNs();
      group.failed.clear();
      group.lost_with = siblings_.Ready(pod);
    });
  }

  // How many other pods of the group are bound or released.
  int Settled(const Pod& pod) {
    const Uids bound = siblings_.Bound(pod.ns(), groups_.NameOf(pod), pod.uid());
    int settled = static_cast<int>(bound.size());
    groups_.With(pod, [&](Group& group) {
      Prune(group, pod);
      settled += group.Count(Stage::kReleased);
    });
    return settled;
  }

  // GetWaitTimeDuration. With 0 no gang could form, so 0 counts as not set.
  std::chrono::nanoseconds Timeout(const PodGroup& facts) const {
    int64_t seconds = facts.timeout_seconds.value_or(0);
    if (seconds == 0) seconds = args_.permit_waiting_seconds;
    return std::chrono::seconds(seconds == 0 ? kDefaultWaitSeconds : seconds);
  }

  // Ends the waits. It marks these members before the host calls Unreserve, so that they do not count as failed.
  void Reject(Groups::Key key, const std::vector<std::string>& waiting, std::string_view reason) {
    groups_.With(key, [&](Group& group) {
      for (const std::string& uid : waiting) group.members[uid].stage = Stage::kRejected;
    });
    for (const std::string& uid : waiting) host_.RejectWaiting(uid, reason);
  }

  void BackOff(const Pod& pod, int32_t min_member) {
    const int64_t now = tasks_.WallUnixNs(), backoff = args_.backoff_seconds * kSecond;
    const bool enough = siblings_.Of(pod).size() >= static_cast<uint32_t>(std::max(min_member, 0));
    bool begins = false;
    groups_.With(pod, [&](Group& group) {
      group.NoteFailure(now);
      begins = backoff > 0 && enough && now >= group.backed_off_until;
      if (begins) group.backed_off_until = now + backoff;
    });
    if (begins) RetryAfter(groups_.KeyOf(pod), now + backoff, std::chrono::nanoseconds(backoff));
  }

  // No other event would wake the pods that PreFilter rejects during the backoff.
  void RetryAfter(Groups::Key key, int64_t until, std::chrono::nanoseconds delay) {
    tasks_.Post(delay, [this, key, until] {
      Place place;
      groups_.With(key, [&](Group& group) {
        if (group.backed_off_until != until) return;
        group.backed_off_until = kNever;
        place = {group.ns, group.name};
      });
      if (place.ns != berth::sdk::kNoId) siblings_.Activate(place.ns, place.name);
    });
  }

  void Complete(Groups::Key key) {
    Place place;
    groups_.With(key, [&](Group& group) {
      group.completion_posted = false;
      place = {group.ns, group.name};
    });
    if (place.ns == berth::sdk::kNoId) return;
    const std::vector<std::string> waiting = siblings_.Waiting(place.ns, place.name);
    const Uids bound = siblings_.Bound(place.ns, place.name);
    bool complete = false, lost = false;
    groups_.With(key, [&](Group& group) {
      lost = DropLost(group, waiting);
      const auto released = std::count_if(group.members.begin(), group.members.end(), [&](const auto& member) {
        return member.second.stage == Stage::kReleased && !bound.contains(member.first);
      });
      complete = std::ssize(bound) + released + std::ssize(waiting) >= group.facts.min_member;
    });
    if (complete) {
      Release(key, waiting);
    } else if (lost && !waiting.empty()) {
      siblings_.Activate(place.ns, place.name);  // the others need a replacement
    }
  }

  // Removes the members whose wait has ended in the meantime. false: there is none.
  static bool DropLost(Group& group, const std::vector<std::string>& waiting) {
    const Uids still(waiting.begin(), waiting.end());
    return std::erase_if(group.members, [&](const auto& member) {
             return member.second.stage == Stage::kWaiting && !still.contains(member.first);
           }) != 0;
  }

  void Release(Groups::Key key, const std::vector<std::string>& waiting) {
    groups_.With(key, [&](Group& group) {
      for (const std::string& uid : waiting) group.members[uid].stage = Stage::kReleased;
      group.NoteSuccess();
    });
    for (const std::string& uid : waiting) host_.AllowWaiting(uid);
  }

  Host& host_;
  const berth::sdk::Tasks& tasks_;
  Groups& groups_;
  const Siblings& siblings_;
  const RoomChanges& changes_;
  const CoschedulingArgs& args_;
};

}  // namespace plugins::coscheduling
