// Writes what attempts found out into pods' statuses: the PodScheduled condition and nominatedNodeName. Of one pod only
// one patch is under way at a time; what is asked meanwhile is merged and follows, so that the last word stays the
// last. A binding comes after the patch that is under way, and makes those that are not needless: it says all of it
// better. Source: pkg/scheduler/schedule_one.go updatePod, which waits for the server.
//
// Thread: any. Ownership: as the binder's.
#pragma once

#include <functional>
#include <mutex>
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
  // Runs bind when no patch of the pod is under way any more: at once, or on a thread of the transport. What has not
  // been sent is not sent.
  void BeforeBinding(const std::string& uid, std::function<void()> bind);

 private:
  struct Entry {
    api::PodRef pod;
    engine::StatusPatch wanted;   // not yet sent
    engine::StatusPatch current;  // sent, and without an answer
    bool sent = false;
    int failures = 0;
    std::function<void()> bind;  // waits for the answer
  };
  static bool Empty(const engine::StatusPatch& patch) { return !patch.condition && !patch.nominated_node; }
  void Enqueue(const std::string& uid, int64_t delay_ns);
  std::optional<http::Request> Make(const std::string& uid);
  void OnReply(const std::string& uid, const http::Reply& reply);
  // Shall the answered patch be tried again? With mutex_ held.
  bool TryAgain(Entry& entry, const http::Reply& reply) const;
  std::string BodyOf(const api::Pod& pod, const engine::StatusPatch& patch) const;

  kube::RequestQueue& queue_;
  const base::Clock& clock_;
  std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;  // by UID: pods with a patch in the queue; guarded by mutex_
};

}  // namespace berth::dispatch
