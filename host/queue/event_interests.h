// Who registered for which cluster event: answers per event, remembered, because the same few kinds of event come all
// the time. Owned by the queue. Thread: the scheduling thread.
// Source: QueueingHintMap and buildEventMap of pkg/scheduler/backend/queue/scheduling_queue.go; core.md 5.7.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/events.h"
#include "base/intern.h"
#include "queue/policy.h"

namespace berth::queue {

class EventInterests {
 public:
  struct Match {
    base::Id profile, plugin;
    uint32_t interest;
    bool has_hint;
  };
  struct Matches {
    std::vector<Match> registrations;  // of every profile, in the order they were registered
    std::vector<base::Id> plugins;     // of the above, each once: of whatever profile, as upstream's pluginToEventsMap
    bool Has(base::Id plugin) const;
  };

  // Replaces everything.
  void Rebuild(std::vector<ProfileRegistrations> profiles);

  bool HasProfile(base::Id profile) const;
  // Is anybody interested? Wildcard events always are of interest.
  bool Interested(const api::ClusterEvent& event);
  // The registrations that match; valid until the next call of this object.
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
