// The PodGroups of the cluster, and the state of each. A group is removed with its PodGroup.
//
// Thread: any; the mutex guards the groups. A function of the host that can end a wait is called without it, because
// the host may call Unreserve at once.
// Ownership: owns the ids of namespaces and names; the host outlives it.
#pragma once

#include <berth/mutex.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "pod_group.h"

namespace plugins::coscheduling {

using berth::sdk::Host;
using berth::sdk::Id;
using berth::sdk::Pod;

// The stage of the attempt of a pod that has passed Permit.
enum class Stage : char {
  kWaiting = 'w',   // it waits for the others
  kReleased = 'r',  // it may be bound, and perhaps is, but the API server has not reported that yet
  kRejected = 'x',  // this plugin has ended its wait, and the host has not called Unreserve yet
};

struct Member {
  Stage stage;
  std::string node;
};

inline constexpr int64_t kNever = std::numeric_limits<int64_t>::min();

// Names a group: its namespace and name.
inline uint64_t GroupKey(Id ns, Id name) { return uint64_t{ns} << 32 | name; }

struct Group {
  Id ns, name;
  PodGroup facts;
  std::optional<int64_t> last_failed;  // wall clock, ns; so are the next two
  int64_t permitted_until = kNever;    // the check of minResources has succeeded
  int64_t backed_off_until = kNever;
  bool short_of_room = false;      // the check of minResources has failed last
  bool completion_posted = false;  // a task will see whether the group is complete
  // How often the group has given up since it last got room, and the state at the last time.
  int rounds_lost = 0;
  uint64_t gave_up_at = 0;  // RoomChanges::now
  int64_t gave_up_unix_ns = kNever;
  std::unordered_set<std::string> lost_with;        // UIDs of its pods
  std::unordered_set<std::string> failed;           // UIDs of pods that fit nowhere in this round
  std::unordered_map<std::string, Member> members;  // by UID

  int Count(Stage stage) const {
    int count = 0;
    for (const auto& [uid, member] : members) count += member.stage == stage ? 1 : 0;
    return count;
  }
  uint64_t key() const { return GroupKey(ns, name); }
  void NoteSuccess() {
    last_failed.reset();
    rounds_lost = 0;
    failed.clear();
  }
  void NoteFailure(int64_t now) {
    permitted_until = kNever;
    last_failed = now;
  }
};

class Groups {
 public:
  using Key = uint64_t;

  explicit Groups(Host& host) : host_(host), label_(host.Intern(kPodGroupLabel)) {}

  Id label() const { return label_; }
  // kNoId: the pod belongs to no group. An empty value names no group.
  Id NameOf(const Pod& pod) const {
    const Id name = pod.labels().Get(label_);
    return name == berth::sdk::kEmptyId ? berth::sdk::kNoId : name;
  }
  Key KeyOf(const Pod& pod) const { return GroupKey(pod.ns(), NameOf(pod)); }
  std::string FullName(const Group& group) const { return Full(group.ns, group.name); }
  std::string Full(Id ns, Id name) const { return std::string(host_.Text(ns)) + "/" + std::string(host_.Text(name)); }

  // Calls fn(Group&) with the mutex held, unless there is no such PodGroup. Returns whether there is one.
  template <class Fn>
  bool With(Key key, Fn&& fn) {
    const berth::sdk::MutexLock lock(mutex_);
    const auto at = groups_.find(key);
    if (at == groups_.end()) return false;
    fn(at->second);
    return true;
  }
  template <class Fn>
  bool With(const Pod& pod, Fn&& fn) {
    return NameOf(pod) != berth::sdk::kNoId && With(KeyOf(pod), std::forward<Fn>(fn));
  }
  template <class Fn>
  void Each(Fn&& fn) {  // fn(Key, Group&) with the mutex held
    const berth::sdk::MutexLock lock(mutex_);
    for (auto& [key, group] : groups_) fn(key, group);
  }

  // [serial] Sets the current PodGroup.
  Key Set(std::string_view ns, std::string_view name, PodGroup facts) {
    const Id ns_id = host_.Intern(ns), name_id = host_.Intern(name);
    const Key key = GroupKey(ns_id, name_id);
    const berth::sdk::MutexLock lock(mutex_);
    const auto [at, is_new] = groups_.try_emplace(key);
    if (is_new) {
      at->second.ns = ns_id;
      at->second.name = name_id;
    } else {
      host_.Drop(ns_id);
      host_.Drop(name_id);
    }
    if (at->second.facts.need != facts.need) at->second.permitted_until = kNever;
    if (at->second.facts.min_member != facts.min_member) at->second.rounds_lost = 0;
    at->second.facts = std::move(facts);
    return key;
  }
  // [serial] The PodGroup was deleted.
  void Forget(std::string_view ns, std::string_view name) {
    const Id ns_id = host_.Intern(ns), name_id = host_.Intern(name);
    {
      const berth::sdk::MutexLock lock(mutex_);
      if (groups_.erase(GroupKey(ns_id, name_id)) != 0) {
        host_.Drop(ns_id);
        host_.Drop(name_id);
      }
    }
    host_.Drop(ns_id);
    host_.Drop(name_id);
  }
  // nullopt: there is no such PodGroup.
  std::optional<Key> Find(std::string_view ns, std::string_view name) {
    const Id ns_id = host_.Intern(ns), name_id = host_.Intern(name);
    const Key key = GroupKey(ns_id, name_id);
    const bool found = With(key, [](Group&) {});
    host_.Drop(ns_id);
    host_.Drop(name_id);
    return found ? std::optional(key) : std::nullopt;
  }

 private:
  Host& host_;
  const Id label_;
  berth::sdk::Mutex mutex_;
  std::unordered_map<Key, Group> groups_ BERTH_GUARDED_BY(mutex_);
};

}  // namespace plugins::coscheduling
