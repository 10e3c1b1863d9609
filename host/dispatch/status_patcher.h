// Writes what attempts found out into pods' statuses: the PodScheduled condition and nominatedNodeName. Of one pod only
// one patch is under way at a time; what is asked meanwhile is merged and follows, so that the last word stays the
// last. Source: pkg/scheduler/schedule_one.go updatePod; backend/api_dispatcher.
//
// Thread: Patch from any thread. Ownership: as the binder's.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "engine/writes.h"
#include "kube/request_queue.h"

namespace berth::dispatch {

class StatusPatcher {
 public:
  StatusPatcher(kube::RequestQueue& queue, const base::Clock& clock) : queue_(queue), clock_(clock) {}
  void Patch(const api::PodRef& pod, engine::StatusPatch patch);

 private:
  struct Pending {
    bool asked = false;  // something came while a patch was under way
    api::PodRef pod;
    engine::StatusPatch patch;
  };
  void Send(const api::PodRef& pod, const engine::StatusPatch& patch);
  void OnReply(const std::string& uid, const std::string& key, const http::Reply& reply);
  std::string BodyOf(const api::Pod& pod, const engine::StatusPatch& patch) const;

  kube::RequestQueue& queue_;
  const base::Clock& clock_;
  std::mutex mutex_;
  std::unordered_map<std::string, Pending> under_way_;  // by UID; guarded by mutex_
};

}  // namespace berth::dispatch
