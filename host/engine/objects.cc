// What the cluster says of objects other than pods and nodes: into the store, to the plugins that need the kind, and to
// the queue. Source: buildEvtResHandler of pkg/scheduler/eventhandlers.go; core.md 6.4.
#include <algorithm>

#include "engine/engine.h"
#include "framework/object_services.h"

namespace berth::engine {

void Engine::On(ObjectSet& e) {
  const objects::Change change = objects_.Set(e.kind, std::move(e.object));
  DeliverObjectChanges();
  MoveForObject(change);
}

void Engine::On(ObjectGone& e) {
  const objects::Change change = objects_.Gone(e.kind, e.key);
  DeliverObjectChanges();
  MoveForObject(change);
}

void Engine::On(ObjectsListed& e) {
  objects_.Listed(e.kind);
  if (!e.present) return;
  for (std::string& key : objects_.NotAmong(e.kind, *e.present)) {
    ObjectGone gone{e.kind, std::move(key)};
    On(gone);
  }
}

// Assumed and reverted objects come along. What a plugin assumes while it is told is told with the next round.
void Engine::DeliverObjectChanges() {
  objects_.TakeChanges(object_changes_);
  for (const objects::Change& change : object_changes_) {
    ForEachInstance([&](plugin::Instance& instance) { framework::TellChange(instance, change); });
    if (offer_ != nullptr) offer_->newcomers.Tell(change);
  }
  object_changes_.clear();
}

// Of a kind that upstream has no event for, only those hear who have named it.
void Engine::MoveForObject(const objects::Change& change) {
  if (change.before == nullptr && change.now == nullptr) return;
  const objects::Kind& kind = objects_.KindOf(change.kind);
  const auto named = [&](const auto& profile) {
    return std::any_of(profile->registrations().begin(), profile->registrations().end(),
                       [&](const queue::Registration& r) { return r.resource == kind.event_resource; });
  };
  const auto& all = profiles_->profiles;
  if (!kind.named_event && std::none_of(all.begin(), all.end(), named)) return;
  const uint32_t action = change.before == nullptr ? BERTH_ACTION_ADD
                          : change.now == nullptr  ? BERTH_ACTION_DELETE
                                                   : BERTH_ACTION_UPDATE;
  Move(kind.event_resource, action, {{}, {}, {}, {}, objects::ValueOf(change.before), objects::ValueOf(change.now)});
}

}  // namespace berth::engine
