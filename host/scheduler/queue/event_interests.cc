#include "scheduler/queue/event_interests.h"

#include <algorithm>
#include <utility>

namespace berth::queue {

bool EventInterests::Matches::Has(base::Id plugin) const {
  return std::find(plugins.begin(), plugins.end(), plugin) != plugins.end();
}

void EventInterests::Rebuild(std::vector<ProfileRegistrations> profiles) {
  profiles_ = std::move(profiles);
  remembered_.clear();
}

bool EventInterests::HasProfile(base::Id profile) const {
  return std::any_of(profiles_.begin(), profiles_.end(), [&](const auto& p) { return p.profile == profile; });
}

bool EventInterests::Interested(const api::ClusterEvent& event) {
  return event.IsWildcard() || !For(event).registrations.empty();
}

const EventInterests::Matches& EventInterests::For(const api::ClusterEvent& event) {
  for (const auto& known : remembered_) {
    if (known->actions == event.actions && known->resource == event.resource) return known->matches;
  }
  if (remembered_.size() == kMaxRemembered) remembered_.clear();
  auto fresh = std::make_unique<Remembered>();
  fresh->actions = event.actions;
  fresh->resource = event.resource;
  Collect(event, fresh->matches);
  remembered_.push_back(std::move(fresh));
  return remembered_.back()->matches;
}

void EventInterests::Collect(const api::ClusterEvent& event, Matches& out) const {
  for (const ProfileRegistrations& profile : profiles_) {
    for (const Registration& r : profile.registrations) {
      if (!api::EventMatches(r.resource, r.actions, event)) continue;
      out.registrations.push_back({profile.profile, r.plugin, r.interest, r.has_hint});
      if (!out.Has(r.plugin)) out.plugins.push_back(r.plugin);
    }
  }
}

}  // namespace berth::queue
