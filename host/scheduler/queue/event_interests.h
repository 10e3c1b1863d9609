// Finds the plugins that registered for a cluster event. It caches the answers, because most events are of a few kinds.
// Owned by the queue. Thread: the scheduling thread.
// Source: pkg/scheduler/backend/queue/scheduling_queue.go QueueingHintMap, pkg/scheduler/scheduler.go
// buildQueueingHintMap.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/events.h"
#include "base/intern.h"
#include "scheduler/queue/queue_policy.h"

namespace berth::queue {

class EventInterests {
 public:
  struct Match {
    base::Id profile, plugin;
    uint32_t interest;
    bool has_hint;
  };
  struct Matches {
    std::vector<Match> registrations;  // of all profiles, in the order of registration
    // the plugins of `registrations` without duplicates, as in upstream's pluginToEventsMap
    std::vector<base::Id> plugins;
    bool Has(base::Id plugin) const;
  };

  // Replaces all registrations and clears the cache.
  void Rebuild(std::vector<ProfileRegistrations> profiles);

  bool HasProfile(base::Id profile) const;
  // Whether any plugin registered for the event. Always true for wildcard events.
  bool Interested(const api::ClusterEvent& event);
  // The registrations that match the event. Valid until the next call of this object.
  const Matches& For(const api::ClusterEvent& event);

 private:
  struct Remembered {
    uint32_t actions;
    std::string resource;
    Matches matches;
  };
  static constexpr size_t kMaxRemembered = 256;
  void Collect(const api::ClusterEvent& event, Matches& out) const;

  std::vector<ProfileRegistrations> profiles_;
  std::vector<std::unique_ptr<Remembered>> remembered_;
};

}  // namespace berth::queue
