// Objects other than pods and nodes: applies them to the store, delivers them to the plugins that need the kind, and
// moves pods. Source: buildEvtResHandler of pkg/scheduler/eventhandlers.go.
#include <algorithm>

#include "scheduler/engine/event_handlers.h"

namespace berth::engine {

void EventHandlers::On(ObjectSet& message) {
  Begin();
  const objects::Change change = objects_.Set(message.kind, std::move(message.object));
  feed_.DeliverObjectChanges();
  MoveForObject(change);
}

void EventHandlers::On(const ObjectGone& message) {
  Begin();
  const objects::Change change = objects_.Gone(message.kind, message.key);
  feed_.DeliverObjectChanges();
  MoveForObject(change);
}

void EventHandlers::On(const ObjectsListed& message) {
  objects_.Listed(message.kind);
  if (!message.present) return;
  for (std::string& key : objects_.NotAmong(message.kind, *message.present)) {
    On(ObjectGone{.kind = message.kind, .key = std::move(key)});
  }
}

// For a kind without an event in kube-scheduler, pods move only when some profile has registered the kind by name.
void EventHandlers::MoveForObject(const objects::Change& change) {
  if (change.before == nullptr && change.now == nullptr) return;
  const objects::Kind& kind = objects_.KindOf(change.kind);
  const auto registered = [&](const auto& profile) {
    return std::any_of(profile->registrations().begin(), profile->registrations().end(),
                       [&](const queue::Registration& r) { return r.resource == kind.event_resource; });
  };
  const auto& all = policy_.profiles().profiles;
  if (!kind.named_event && std::none_of(all.begin(), all.end(), registered)) return;
  const uint32_t action = change.before == nullptr ? BERTH_ACTION_ADD
                          : change.now == nullptr  ? BERTH_ACTION_DELETE
                                                   : BERTH_ACTION_UPDATE;
  Move(kind.event_resource, action,
       {.old_value = objects::ValueOf(change.before), .new_value = objects::ValueOf(change.now)});
}

}  // namespace berth::engine
