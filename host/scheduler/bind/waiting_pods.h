// Pods that Permit holds. A pod waits until every plugin that returned WAIT allows it, one plugin rejects it, or the
// timeout of a plugin passes. Source: waitingPodsMap of pkg/scheduler/framework/runtime/waiting_pods_map.go.
//
// Thread: any; the binding cycle gets the outcome without a lock held. Timeouts fire when the scheduling thread calls
// Expire, so that they follow its clock.
// Ownership: shares the pods; the intern table outlives it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "base/thread_annotations.h"
#include "plugin/instance/instance.h"
#include "plugin/instance/ports.h"
#include "plugin/instance/status.h"

namespace berth::bind {

class WaitingPods final : public plugin::WaitingPort {
 public:
  explicit WaitingPods(base::InternTable& ids) : ids_(ids) {}

  using Outcome = std::function<void(plugin::Status)>;

  // waits: each plugin and its timeout, ns; not empty. now: mono ns.
  void Add(const api::PodRef& pod, const std::vector<std::pair<plugin::Instance*, int64_t>>& waits, int64_t now);
  // The attempt has failed before WaitFor: no outcome is called.
  void Remove(std::string_view uid);
  // WaitOnPermit: calls outcome once, before the return when it is already known.
  void WaitFor(std::string_view uid, Outcome outcome);

  void Each(const std::function<void(const berth_pod&)>& fn) override;
  bool Allow(std::string_view uid, const plugin::Instance& plugin) override;
  bool Reject(std::string_view uid, const plugin::Instance& plugin, std::string reason) override;
  // Preemption: the attempt fails with an error, which counts for no plugin as a rejection. false: the pod is not
  // waiting, or has its outcome.
  bool Preempt(std::string_view uid, const plugin::Instance& plugin, std::string_view reason);
  // Rejects a pod that was deleted, without the name of a plugin.
  bool RejectRemoved(std::string_view uid);
  // Shutdown: rejects all pods, without the name of a plugin.
  void RejectAll(const std::string& reason);

  void Expire(int64_t now);                     // mono ns; rejects the pods past a deadline
  std::optional<int64_t> NextDeadline() const;  // mono ns; O(1)

 private:
  // Plugins by name: the instance that allows may belong to another profile or to a later generation.
  struct Wait {
    base::OwnedId plugin;
    std::string name;
    int64_t deadline, timeout;  // mono ns, ns
  };
  struct Entry {
    api::PodRef pod;
    std::vector<Wait> pending;  // by deadline
    std::optional<plugin::Status> result;
    Outcome outcome;
  };
  using Entries = std::unordered_map<std::string, Entry>;
  // Call Unlist before, and List after, a change of an entry's first deadline.
  void Unlist(const Entries::value_type& entry) REQUIRES(mutex_);
  void List(const Entries::value_type& entry) REQUIRES(mutex_);
  void Erase(Entries::iterator at) REQUIRES(mutex_);
  // Sets the result if there is none. When WaitFor has been called, erases the entry and calls the outcome.
  bool Deliver(std::string_view uid, plugin::Status status);

  base::InternTable& ids_;
  mutable base::Mutex mutex_;
  Entries entries_ GUARDED_BY(mutex_);
  // The first deadline and the uid of every entry without a result; the uids are those of entries_.
  std::set<std::pair<int64_t, std::string_view>> deadlines_ GUARDED_BY(mutex_);
};

}  // namespace berth::bind
