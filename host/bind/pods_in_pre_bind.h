// Pods whose PreBind plugins are at work: until they are through, a pod of higher priority may have one given up.
// Source: pkg/scheduler/framework/runtime/pods_in_prebind_map.go; core.md 1.13.
// Threads: any. Ownership: what an entry points at is the binding cycle's, which calls Leave before it goes.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bind/pending_op.h"
#include "plugin/cycle.h"

namespace berth::bind {

class PodsInPreBind {
 public:
  void Enter(const std::string& uid, berth_cycle& cycle);
  // The call that is about to be made for the pod may answer LATER.
  void Awaits(const std::string& uid, PendingOp& op);
  // Why the pod was given up; nullopt: it was not.
  std::optional<std::string> Cause(const std::string& uid) const;
  // As Cause; from now on it cannot be given up.
  std::optional<std::string> Leave(const std::string& uid);
  // The attempt is to fail with this cause. false: the pod is not here.
  bool GiveUp(std::string_view uid, std::string cause);

 private:
  struct Entry {
    berth_cycle* cycle;
    PendingOp* op = nullptr;
    uint64_t ticket = 0;
    std::optional<std::string> cause = std::nullopt;
  };
  mutable std::mutex mutex_;  // guards what follows
  std::unordered_map<std::string, Entry> entries_;
};

}  // namespace berth::bind
