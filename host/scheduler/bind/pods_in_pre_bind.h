// Pods in PreBind: until PreBind ends, preemption can cancel the binding of the pod.
// Source: podsInPreBindMap of pkg/scheduler/framework/runtime/pods_in_prebind_map.go.
// Thread: any. Ownership: the binding cycle owns what an entry points at, and calls Leave before it is destroyed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_hash.h"
#include "base/thread_annotations.h"
#include "plugin/instance/cycle.h"
#include "scheduler/bind/pending_op.h"

namespace berth::bind {

class PodsInPreBind {
 public:
  void Enter(std::string_view uid, berth_cycle& cycle);
  // The binding cycle is about to call a plugin for the pod with this operation.
  void Awaits(std::string_view uid, PendingOp& op);
  // Why the pod was given up; nullopt: it was not.
  std::optional<std::string> Cause(std::string_view uid) const;
  // Like Cause. From now on GiveUp does not find the pod.
  std::optional<std::string> Leave(std::string_view uid);
  // Fails the attempt with this cause; the first cause stays. false: the pod is not in PreBind.
  bool GiveUp(std::string_view uid, std::string cause);

 private:
  struct Entry {
    berth_cycle* cycle;
    PendingOp* op = nullptr;
    uint64_t ticket = 0;
    std::optional<std::string> cause = std::nullopt;
  };
  mutable base::Mutex mutex_;
  base::TextMap<Entry> entries_ GUARDED_BY(mutex_);
};

}  // namespace berth::bind
