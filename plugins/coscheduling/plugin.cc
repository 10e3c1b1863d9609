// Coscheduling: binds the pods of a PodGroup when minMember of them have a node, and not before.
// Source: pkg/coscheduling of kubernetes-sigs/scheduler-plugins; docs/differences.md lists what differs.
#include <berth/objects.hpp>
#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "args.h"
#include "entrance.h"
#include "gang.h"
#include "groups.h"
#include "handed_over.h"
#include "room_changes.h"
#include "siblings.h"

namespace plugins {

using namespace berth::sdk;    // NOLINT: a plugin uses the SDK's names
using namespace coscheduling;  // NOLINT: and its own

class Coscheduling {
 public:
  static constexpr Info kInfo{.name = "Coscheduling", .vendor = "berth.dev"};
  static constexpr std::string_view kNeeds[] = {BERTH_SERVICE_OBJECTS, BERTH_SERVICE_PODS, BERTH_SERVICE_TASKS,
                                                BERTH_SERVICE_WAITING};
  // Upstream registers the first two, without hints. The others help a group for which the cluster had no room.
  static constexpr Interest kInterests[] = {
      {"Pod", BERTH_ACTION_ADD, false},
      {"podgroups.v1alpha1.scheduling.x-k8s.io", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE, false},
      {"Pod", BERTH_ACTION_DELETE},
      {"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_ALLOCATABLE}};

  static void CompleteArgs(ArgsReader& in, JsonWriter& out) { CoschedulingArgs::Read(in).Write(out); }
  static void CheckArgs(ArgsReader& in) { CoschedulingArgs::Read(in); }

  explicit Coscheduling(Host& host)
      : host_(host),
        args_(ReadArgs<CoschedulingArgs>(host)),
        objects_(host),
        tasks_(host),
        groups_(host),
        siblings_(host, tasks_, groups_),
        entrance_(host, tasks_, groups_, siblings_, args_),
        changes_(groups_),
        gang_(host, tasks_, groups_, siblings_, changes_, args_) {}

  void Activate() { kind_ = objects_.Need("scheduling.x-k8s.io", "v1alpha1", "podgroups"); }

  void ObjectChanged(ObjectKind kind, Object before, Object now) {
    if (kind != kind_) return;
    if (!now) return gang_.Disband(before.ns(), before.name());
    gang_.CompleteSoon(groups_.Set(now.ns(), now.name(), PodGroup::Of(now)));
  }

  // The order of pods: by priority, then by the age or the last failure of their groups, then by name.
  bool Less(const Queued& a, const Queued& b) {
    if (a.pod().priority() != b.pod().priority()) return a.pod().priority() > b.pod().priority();
    const int64_t time_a = TimeOf(a), time_b = TimeOf(b);
    if (time_a != time_b) return time_a < time_b;
    return NameBefore(a.pod(), b.pod());
  }

  Status PreFilter(Cycle& cycle, const Pod& pod) {
    const std::string refusal = entrance_.WhyNotYet(cycle, pod);
    if (!refusal.empty()) return Status::Unresolvable(refusal);
    cycle.Set<Tried>();
    return Status::Ok();
  }

  Status PostFilter(Cycle& cycle, const Pod& pod, const Diagnosis&, Nomination&) {
    return gang_.AfterFailure(pod, cycle.Find<Tried>() != nullptr);
  }

  Status Permit(Cycle&, const Pod& pod, Id node, std::chrono::nanoseconds& wait) {
    return gang_.Permit(pod, node, wait);
  }

  Status Reserve(Cycle&, const Pod&, Id) { return Status::Ok(); }
  void Unreserve(Cycle&, const Pod& pod, Id) { gang_.Leave(pod); }

  // Whether the event may make room for a group that lacked it.
  bool Hint(Cycle&, const Event& event, const Pod& pod) {
    bool helps = false;
    groups_.With(pod, [&](const Group& group) {
      const Pod gone = event.old_pod();
      helps = group.short_of_room || group.rounds_lost > 0;
      if (event.interest() == 2 && gone) helps = helps && changes_.Helps(gone, group);
    });
    return helps;
  }
  void Deltas(List<berth_delta> deltas) { changes_.Take(deltas); }

  std::string Save() { return SaveGroups(groups_); }
  Status Load(std::string_view, std::string_view state) {
    LoadGroups(groups_, state);
    gang_.RetryBackedOff();
    return Status::Ok();
  }
  std::string DescribeAttempt(const Pod& pod, Id) { return DescribeMember(groups_, pod); }
  void Adopt(const Pod& pod, Id node, std::string_view state) {
    if (AdoptMember(groups_, pod, host_.Text(node), state)) gang_.CompleteSoon(groups_.KeyOf(pod));
  }
  void Settle(const Pod& pod, bool bound) {
    if (bound) return;
    groups_.With(pod, [&](Group& group) { group.members.erase(std::string(pod.uid())); });
  }

 private:
  struct Tried {};  // PreFilter has let the pod pass

  // GetCreationTimestamp
  int64_t TimeOf(const Queued& queued) {
    int64_t time =
        queued->initial_attempt_unix_ns == BERTH_NO_TIME ? queued->queued_unix_ns : queued->initial_attempt_unix_ns;
    groups_.With(queued.pod(),
                 [&](const Group& group) { time = group.last_failed.value_or(group.facts.created_unix_ns); });
    return time;
  }
  // Of "namespace/name".
  bool NameBefore(const Pod& a, const Pod& b) const {
    if (a.ns() == b.ns()) return a.name() < b.name();
    const auto full = [this](const Pod& pod) {
      return std::string(host_.Text(pod.ns())) + "/" + std::string(pod.name());
    };
    return full(a) < full(b);
  }

  Host& host_;
  const CoschedulingArgs args_;
  const Objects objects_;
  const Tasks tasks_;
  Groups groups_;
  const Siblings siblings_;
  Entrance entrance_;
  RoomChanges changes_;
  Gang gang_;
  ObjectKind kind_ = 0;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::Coscheduling);
