// Pods that Permit holds: each waits for every plugin that asked, until the last allows it, one rejects it, or a
// plugin's time is over. Source: pkg/scheduler/framework/runtime/waiting_pods_map.go; core.md 1.12.
//
// Threads: any; the outcome is handed to the binding cycle without a lock held. Timeouts fire when the scheduling
// thread calls Expire, so that they follow the clock in force.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/pod.h"
#include "plugin/instance.h"
#include "plugin/ports.h"
#include "plugin/status.h"

namespace berth::bind {

class WaitingPods final : public plugin::WaitingPort {
 public:
  explicit WaitingPods(base::InternTable& ids) : ids_(ids) {}

  using Outcome = std::function<void(plugin::Status)>;

  // waits: plugin and how long, ns; not empty. now: mono ns.
  void Add(const api::PodRef& pod, const std::vector<std::pair<plugin::Instance*, int64_t>>& waits, int64_t now);
  // The pod's attempt has failed before it came to the wait: nobody is told.
  void Remove(std::string_view uid);
  // The binding cycle has come to the wait: outcome is called once, at once if it is already known.
  void WaitFor(std::string_view uid, Outcome outcome);

  void Each(const std::function<void(const berth_pod&)>& fn) override;
  bool Allow(std::string_view uid, const plugin::Instance& plugin) override;
  bool Reject(std::string_view uid, const plugin::Instance& plugin, std::string reason) override;
  // A pod of higher priority takes its place: its attempt fails, and no plugin has rejected it. false: it is not
  // waiting, or its wait is over.
  bool Preempt(std::string_view uid, const plugin::Instance& plugin, std::string_view reason);
  // The pod was deleted: rejected with no plugin's name.
  bool RejectRemoved(std::string_view uid);
  // The scheduler ends: all are rejected, with no plugin's name.
  void RejectAll(const std::string& reason);

  void Expire(int64_t now);                     // mono ns
  std::optional<int64_t> NextDeadline() const;  // mono ns; looks at none but the first

 private:
  // Plugins are known by their names: the instance that allows may be another profile's, or of a later generation.
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
  // mutex_ is held. Whatever changes an entry's deadline is between the two.
  void Unlist(const Entries::value_type& entry);
  void List(const Entries::value_type& entry);
  void Erase(Entries::iterator at);
  // Sets the result if there is none and, if somebody waits for it, takes the entry out to be told.
  bool Deliver(std::string_view uid, plugin::Status status);

  base::InternTable& ids_;
  mutable std::mutex mutex_;  // guards what follows
  Entries entries_;
  // The first deadline and the uid of every entry without a result; the uids are those of entries_.
  std::set<std::pair<int64_t, std::string_view>> deadlines_;
};

}  // namespace berth::bind
