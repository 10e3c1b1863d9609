// Which confinement each pod has, and on which row it is. The two come from different watches, in any order.
// Thread: serial; any for Of and Seen. Ownership: holds confinements; the collaborators outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "confinements.h"
#include "exposure.h"

namespace plugins::sy_sched {

class Pods {
 public:
  Pods(Confinements& confinements, Exposure& exposure) : confinements_(confinements), exposure_(exposure) {}

  // The pod's object names these profiles.
  void SetProfiles(std::string_view uid, ProfileList list) {
    Known& pod = pods_[std::string(uid)];
    const Confinements::Number now = confinements_.Hold(std::move(list));
    if (pod.row) {
      exposure_.Remove(*pod.row, pod.confinement);
      exposure_.Add(*pod.row, now);
    }
    Release(pod);
    pod.confinement = now;
    pod.holds = pod.seen = true;
  }
  // The pod's object was deleted.
  void Forget(std::string_view uid) {
    const auto at = pods_.find(uid);
    if (at == pods_.end()) return;
    at->second.seen = false;
    EraseUnused(at);
  }
  void Come(std::string_view uid, uint32_t row) {
    Known& pod = pods_[std::string(uid)];
    pod.row = row;
    exposure_.Add(row, pod.confinement);
  }
  void Go(std::string_view uid) {
    const auto at = pods_.find(uid);
    if (at == pods_.end() || !at->second.row) return;
    exposure_.Remove(*at->second.row, at->second.confinement);
    at->second.row.reset();
    EraseUnused(at);
  }

  // The confinement of a pod without profiles if the pod is unknown.
  Confinements::Number Of(std::string_view uid) const {
    const auto at = pods_.find(uid);
    return at == pods_.end() ? Confinements::kDefault : at->second.confinement;
  }
  // Whether the pod's object is known.
  bool Seen(std::string_view uid) const {
    const auto at = pods_.find(uid);
    return at != pods_.end() && at->second.seen;
  }
  size_t size() const { return pods_.size(); }

 private:
  struct Known {
    Confinements::Number confinement = Confinements::kDefault;
    bool seen = false, holds = false;
    std::optional<uint32_t> row;
  };
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Map = std::unordered_map<std::string, Known, Hash, std::equal_to<>>;

  void Release(Known& pod) {
    if (pod.holds) confinements_.Drop(pod.confinement);
    pod.holds = false;
  }
  void EraseUnused(Map::iterator at) {
    if (at->second.seen || at->second.row) return;
    Release(at->second);
    pods_.erase(at);
  }

  Confinements& confinements_;
  Exposure& exposure_;
  Map pods_;  // by UID
};

}  // namespace plugins::sy_sched
