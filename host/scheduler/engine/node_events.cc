#include <algorithm>
#include <vector>

#include "scheduler/engine/event_handlers.h"
#include "telemetry/log/log.h"

namespace berth::engine {

EventHandlers::EventHandlers(const Collaborators& with)
    : intern_(with.intern),
      cache_(with.cache),
      objects_(with.objects),
      queue_(with.queue),
      pods_(with.pods),
      policy_(with.policy),
      feed_(with.feed),
      waiting_(with.waiting),
      binding_(with.binding),
      writes_(with.writes),
      observer_(with.observer),
      clock_(with.clock) {}

void EventHandlers::Move(std::string_view resource, uint32_t actions, const queue::EventObjects& objects,
                         const queue::SchedulingQueue::PreCheck& pre_check) {
  Move(api::ClusterEvent{resource, actions, {}}, objects, pre_check);
}

void EventHandlers::Move(const api::ClusterEvent& event, const queue::EventObjects& objects,
                         const queue::SchedulingQueue::PreCheck& pre_check) {
  queue_.MoveAllToActiveOrBackoffQueue(event, objects, pre_check);
  Handled(event);
}

// addNodeToCache and updateNodeInCache of pkg/scheduler/eventhandlers.go
void EventHandlers::On(NodeSet& message) {
  Begin();
  const api::NodeRef& node = message.node;
  api::NodeRef& known = nodes_[node->name];
  const api::NodeRef before = known;
  if (!cache_.SetNode(node)) {  // nothing changed that the scheduler uses; extenders may read the manifest
    known->manifest = node->manifest;
    return;
  }
  known = node;
  if (!before) {
    log::V(3, "Add event for node", {{"node", log::KObj(node->name)}});
    Move(api::kResourceNode, BERTH_ACTION_ADD, {.new_node = node});
    return;
  }
  log::V(4, "Update event for node", {{"node", log::KObj(node->name)}});
  for (const api::ClusterEvent& event : api::NodeUpdateEvents(*before, *node)) {
    Move(event, {.old_node = before, .new_node = node});
  }
}

// deleteNodeFromCache of pkg/scheduler/eventhandlers.go. Event hints still see the node in the cache.
void EventHandlers::On(const NodeGone& message) {
  Begin();
  auto it = nodes_.find(message.name);
  if (it == nodes_.end()) return;
  log::V(3, "Delete event for node", {{"node", log::KObj(message.name)}});
  const api::NodeRef node = it->second;
  nodes_.erase(it);
  Move(api::kResourceNode, BERTH_ACTION_DELETE, {.old_node = node});
  cache_.RemoveNode(message.name);
}

void EventHandlers::On(const NodesListed& message) {
  nodes_synced_ = true;
  if (!message.present) return;
  std::vector<NodeGone> gone;
  for (const auto& [name, node] : nodes_) {
    if (!message.present->contains(name)) gone.push_back({.name = name});
  }
  std::sort(gone.begin(), gone.end(), [](const NodeGone& a, const NodeGone& b) { return a.name < b.name; });
  for (const NodeGone& node : gone) On(node);
}

}  // namespace berth::engine
