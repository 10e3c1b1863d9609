// When it makes sense to retry a group that has given up: when a node is added or changes, or when a pod leaves that
// was there before the group gave up. A pod of the group itself is no reason, and neither is a pod that came later:
// otherwise two gangs that do not fit would wake each other forever.
// Thread: [serial]. Ownership: the groups outlive it.
#pragma once

#include <berth/plugin.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "groups.h"

namespace plugins::coscheduling {

class RoomChanges {
 public:
  explicit RoomChanges(Groups& groups) : groups_(groups) {}

  // The number of the last pod of any group that was added to a node.
  uint64_t now() const { return last_; }

  void Take(berth::sdk::List<berth_delta> deltas) {
    std::unordered_map<std::string, Arrival> gone;
    bool nodes = false;
    for (const berth_delta& delta : deltas) {
      const std::string uid = delta.pod == nullptr ? "" : std::string(Pod(delta.pod).uid());
      switch (delta.kind) {
        case BERTH_DELTA_NODE_ADD:
        case BERTH_DELTA_NODE_CHANGE: nodes = true; break;
        case BERTH_DELTA_POD_ADD: Came(Pod(delta.pod), gone.erase(uid) != 0); break;
        case BERTH_DELTA_POD_REMOVE: gone[uid] = ArrivalOf(Pod(delta.pod)); break;
        default: break;
      }
    }
    for (const auto& [uid, arrival] : gone) arrivals_.erase(uid);
    if (nodes || !gone.empty()) Wake(gone, nodes);
  }

  // Whether the event that the pod has left its node may help the group.
  bool Helps(const Pod& gone, const Group& group) const { return Helps(ArrivalOf(gone), group); }

 private:
  struct Arrival {
    Groups::Key group = 0;  // 0: the pod belongs to no group
    uint64_t number = 0;    // 0: unknown
  };

  void Came(const Pod& pod, bool changed) {
    if (groups_.NameOf(pod) == berth::sdk::kNoId) return;
    const auto at = arrivals_.try_emplace(std::string(pod.uid()), 0).first;
    if (!changed || at->second == 0) at->second = ++last_;
  }
  Arrival ArrivalOf(const Pod& pod) const {
    if (groups_.NameOf(pod) == berth::sdk::kNoId) return {};
    const auto at = arrivals_.find(std::string(pod.uid()));
    return {groups_.KeyOf(pod), at == arrivals_.end() ? 0 : at->second};
  }
  static bool Helps(const Arrival& gone, const Group& group) {
    return gone.group != group.key() && gone.number <= group.gave_up_at;
  }

  void Wake(const std::unordered_map<std::string, Arrival>& gone, bool nodes) {
    groups_.Each([&](Groups::Key, Group& group) {
      if (group.rounds_lost == 0) return;
      bool helps = nodes;
      for (const auto& [uid, arrival] : gone) helps = helps || Helps(arrival, group);
      if (helps) group.rounds_lost = 0;
    });
  }

  Groups& groups_;
  uint64_t last_ = 0;
  std::unordered_map<std::string, uint64_t> arrivals_;  // of the pods of groups that are on nodes, by UID
};

}  // namespace plugins::coscheduling
