// PreFilter: whether it makes sense to try a pod of a group now.
// Source: PodGroupManager.PreFilter of pkg/coscheduling/core/core.go of kubernetes-sigs/scheduler-plugins.
// Thread: [serial]. Ownership: the collaborators outlive it.
#pragma once

#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <cstdint>
#include <string>

#include "args.h"
#include "groups.h"
#include "room.h"
#include "siblings.h"

namespace plugins::coscheduling {

class Entrance {
 public:
  Entrance(Host& host, const berth::sdk::Tasks& tasks, Groups& groups, const Siblings& siblings,
           const CoschedulingArgs& args)
      : host_(host), tasks_(tasks), groups_(groups), siblings_(siblings), args_(args) {}

  // Why the pod cannot be tried, "" if it can.
  std::string WhyNotYet(berth::sdk::Cycle& cycle, const Pod& pod) {
    const int64_t now = tasks_.WallUnixNs();
    bool backed_off = false, permitted = false;
    PodGroup facts;
    const bool grouped = groups_.With(pod, [&](const Group& group) {
      facts = group.facts;
      backed_off = now < group.backed_off_until || Rests(pod, group, now);
      permitted = now < group.permitted_until;
    });
    if (!grouped) return "";
    if (backed_off) return "podGroup " + groups_.Full(pod.ns(), groups_.NameOf(pod)) + " failed recently";
    const auto siblings = siblings_.Of(pod);
    std::string quorum = NoQuorum(pod, siblings, facts.min_member);
    if (!quorum.empty() || !facts.need || permitted) return quorum;
    return NoRoom(cycle, pod, siblings, *facts.need, now);
  }

 private:
  static constexpr int64_t kSecond = 1'000'000'000;
  static constexpr int kRounds = 3;  // another order of the pods may fit, but not forever
  static constexpr int64_t kLongestRest = 60 * kSecond;

  // Whether the group has failed its rounds, and nothing has changed that could help it. Its pods wake each other when
  // they release their nodes, so the group would try again and again, without a pause (scheduler-plugins#682).
  bool Rests(const Pod& pod, const Group& group, int64_t now) const {
    return group.rounds_lost >= kRounds && now < group.gave_up_unix_ns + kLongestRest &&
           group.lost_with == siblings_.Ready(pod);
  }

  static std::string NoQuorum(const Pod& pod, const berth::sdk::PodList& siblings, int32_t min_member) {
    int64_t gap = int64_t{min_member} - siblings.size();
    if (gap > 0) {
      return "pre-filter pod " + std::string(pod.name()) +
             " cannot find enough sibling pods, current pods number: " + std::to_string(siblings.size()) +
             ", minMember of group: " + std::to_string(min_member);
    }
    for (const Pod sibling : siblings) {
      if (!sibling.gates().empty() && ++gap > 0) {
        return "pre-filter pod " + std::string(pod.name()) + " cannot proceed due to gated pods in the same PodGroup";
      }
    }
    return "";
  }

  std::string NoRoom(berth::sdk::Cycle& cycle, const Pod& pod, const berth::sdk::PodList& siblings, const Need& need,
                     int64_t now) {
    const PodsByRow own = RowsOf(cycle, pod, siblings);
    const Need lacks = Room(host_, cycle, own).Lacks(need);
    groups_.With(pod, [&](Group& group) {
      group.short_of_room = !lacks.empty();
      // A cache with a TTL of 0 uses its default, 3 s.
      const int64_t ttl = args_.permit_waiting_seconds == 0 ? 3 : args_.permit_waiting_seconds;
      if (lacks.empty()) group.permitted_until = now + ttl * kSecond;
    });
    return lacks.empty() ? "" : "resource gap: " + Printed(lacks);
  }

  PodsByRow RowsOf(berth::sdk::Cycle& cycle, const Pod& pod, const berth::sdk::PodList& siblings) {
    PodsByRow own;
    const auto add = [&](const Pod& sibling, Id node) {
      if (const auto row = cycle.snap().RowOf(node)) own[*row].push_back(sibling);
    };
    groups_.With(pod, [&](const Group& group) {
      for (const Pod sibling : siblings) {
        if (HasNode(sibling)) {
          add(sibling, sibling.node_name());
        } else if (const auto at = group.members.find(std::string(sibling.uid())); at != group.members.end()) {
          const Id node = host_.Intern(at->second.node);
          add(sibling, node);
          host_.Drop(node);
        }
      }
    });
    return own;
  }

  Host& host_;
  const berth::sdk::Tasks& tasks_;
  Groups& groups_;
  const Siblings& siblings_;
  const CoschedulingArgs& args_;
};

}  // namespace plugins::coscheduling
