// Holds a new pod back until its object is known, so that the pod is scored with its own profiles. A separate watch
// delivers the object, usually within milliseconds. After a second the pod may pass without it. Thread: serial.
// Ownership: the collaborators outlive it.
#pragma once

#include <berth/plugin.hpp>
#include <berth/tasks.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>

#include "pods.h"

namespace plugins::sy_sched {

class Entrance {
 public:
  Entrance(const berth::sdk::Tasks& tasks, const Pods& pods) : tasks_(tasks), pods_(pods) {}

  bool MayPass(std::string_view uid) {
    if (pods_.Seen(uid)) return true;
    const auto [at, is_new] = held_.try_emplace(std::string(uid), false);
    if (is_new) tasks_.Post(kPatience, [this, key = at->first] { GiveUp(key); });
    if (!at->second) return false;
    held_.erase(at);
    return true;
  }
  // The pod's object is known now, or the pod was deleted.
  void Release(std::string_view uid) {
    if (held_.erase(std::string(uid)) > 0) tasks_.Activate(uid);
  }
  size_t size() const { return held_.size(); }

 private:
  static constexpr std::chrono::seconds kPatience{1};

  void GiveUp(const std::string& uid) {
    const auto at = held_.find(uid);
    if (at == held_.end()) return;
    at->second = true;
    if (!tasks_.Activate(uid)) held_.erase(at);
  }

  const berth::sdk::Tasks& tasks_;
  const Pods& pods_;
  std::unordered_map<std::string, bool> held_;  // by UID; true: the pod may pass
};

}  // namespace plugins::sy_sched
