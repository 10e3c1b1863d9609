// Writes what attempts found out into pods' statuses: the PodScheduled condition and nominatedNodeName. Of one pod only
// one patch is under way at a time; what is asked meanwhile is merged and follows, so that the last word stays the
// last. A binding comes after the patch that is under way, and makes those needless that have not been sent or wait to
// be tried again: it says all of it better. What is asked after the binding follows it. Source:
// pkg/scheduler/schedule_one.go updatePod, which waits for the server.
//
// Thread: any. Ownership: as the binder's.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "engine/writes.h"
#include "kube/request_queue.h"

namespace berth::dispatch {

class StatusPatcher {
 public:
  StatusPatcher(kube::RequestQueue& queue, const base::Clock& clock) : queue_(queue), clock_(clock) {}

  void Patch(const api::PodRef& pod, engine::StatusPatch patch);
  // Runs bind when no patch of the pod is under way any more: at once, or on a thread of the transport. Never waits for
  // a patch to be tried again.
  void BeforeBinding(const std::string& uid, std::function<void()> bind);

 private:
  // From the first word until the answer to the last one, or until a binding makes it needless: then it is gone, and
  // what is still in the queue finds nothing to send.
  struct Entry {
    uint64_t ticket;  // of its places in the queue, so that they are not taken for those of a later entry
    api::PodRef pod;
    engine::StatusPatch wanted;   // not yet sent
    engine::StatusPatch current;  // sent: under way, or to be tried again
    bool under_way = false;
    int failures = 0, turned_away = 0;         // of current
    std::vector<std::function<void()>> binds;  // wait for the answer
  };
  static bool Empty(const engine::StatusPatch& patch) { return !patch.condition && !patch.nominated_node; }
  void Enqueue(const std::string& uid, uint64_t ticket, int64_t delay_ns);
  std::optional<http::Request> Make(const std::string& uid, uint64_t ticket);
  void OnReply(const std::string& uid, uint64_t ticket, const http::Reply& reply);
  // With mutex_ held. Null: it is gone.
  Entry* Find(const std::string& uid, uint64_t ticket);
  // After how many ns the answered patch is tried again; nullopt: it is not. With mutex_ held.
  std::optional<int64_t> TryAgain(Entry& entry, const http::Reply& reply) const;
  std::string BodyOf(const api::Pod& pod, const engine::StatusPatch& patch) const;

  kube::RequestQueue& queue_;
  const base::Clock& clock_;
  std::mutex mutex_;
  uint64_t last_ticket_ = 0;  // guarded by mutex_
  std::unordered_map<std::string, Entry>
      entries_;  // by UID: pods with a patch in the queue or under way; guarded by mutex_
};

}  // namespace berth::dispatch
