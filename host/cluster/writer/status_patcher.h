// Writes the results of attempts to the pods' statuses: the PodScheduled condition and nominatedNodeName. At most one
// patch per pod is open. Changes that arrive in the meantime are merged and sent next, so the newest result is the last
// one written. A binding waits for the open patch. It cancels patches that are not sent yet or wait for a retry,
// because they are obsolete. Changes after the binding are sent after it. The deletion of the pod cancels them, too.
// Source: pkg/scheduler/schedule_one.go updatePod, which waits for the server instead.
//
// Thread: any. Ownership: as the binder's.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/thread_annotations.h"
#include "client/requests/request_queue.h"
#include "scheduler/engine/writes.h"

namespace berth::writer {

class StatusPatcher {
 public:
  StatusPatcher(requests::RequestQueue& queue, const base::Clock& clock) : queue_(queue), clock_(clock) {}

  void Patch(const api::PodRef& pod, engine::StatusPatch patch);
  // Runs `bind` when no patch of the pod is open: at once, or on a thread of the transport. Does not wait for retries.
  void BeforeBinding(const std::string& uid, std::function<void()> bind);
  // Cancels the patches of the pod that are not sent yet.
  void PodDeleted(const std::string& uid);

 private:
  // Exists from the first change until the answer to the last patch, or until something cancels it. A queued patch
  // without an entry sends nothing.
  struct Entry {
    uint64_t ticket;  // identifies the entry, so its queued patches do not use a later entry of the same pod
    api::PodRef pod;
    engine::StatusPatch wanted;   // not yet sent
    engine::StatusPatch current;  // the patch that is open or waits for a retry
    bool under_way = false, pod_deleted = false;
    int failures = 0, turned_away = 0;         // of current
    std::vector<std::function<void()>> binds;  // wait for the answer
  };
  static bool Empty(const engine::StatusPatch& patch) { return !patch.condition && !patch.nominated_node; }
  void Enqueue(const std::string& uid, uint64_t ticket, int64_t delay_ns);
  std::optional<http::Request> Make(const std::string& uid, uint64_t ticket);
  void OnReply(const std::string& uid, uint64_t ticket, const http::Reply& reply);
  // Null: there is no such entry.
  Entry* Find(const std::string& uid, uint64_t ticket) REQUIRES(mutex_);
  // The delay in ns before the patch is retried; nullopt: no retry.
  std::optional<int64_t> TryAgain(Entry& entry, const http::Reply& reply) const REQUIRES(mutex_);
  std::string BodyOf(const api::Pod& pod, const engine::StatusPatch& patch) const;

  requests::RequestQueue& queue_;
  const base::Clock& clock_;
  base::Mutex mutex_;
  uint64_t last_ticket_ GUARDED_BY(mutex_) = 0;
  std::unordered_map<std::string, Entry> entries_ GUARDED_BY(mutex_);  // by UID: pods with a queued or open patch
};

}  // namespace berth::writer
