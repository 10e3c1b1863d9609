// What the cluster says, applied to cache and queue: core.md 6.4.
#include "api/events.h"
#include "engine/engine.h"
#include "log/log.h"

namespace berth::engine {

void Engine::Move(std::string_view resource, uint32_t actions, queue::EventObjects objects,
                  const queue::SchedulingQueue::PreCheck& pre_check) {
  queue_->MoveAllToActiveOrBackoffQueue(api::ClusterEvent{resource, actions, {}}, objects, pre_check);
}

// ---- nodes ----

void Engine::On(NodeSet& e) {
  api::NodeRef& known = nodes_[e.node->name];
  const api::NodeRef before = known;
  if (!cache_.SetNode(e.node)) {  // a heartbeat, which extenders may still want to see
    known->manifest = e.node->manifest;
    return;
  }
  known = e.node;
  if (!before) {
    log::V(3, "Add event for node", {{"node", e.node->name}});
    Move(api::kResourceNode, BERTH_ACTION_ADD, {{}, {}, {}, e.node, {}, {}});
    return;
  }
  for (const api::ClusterEvent& event : api::NodeUpdateEvents(*before, *e.node)) {
    queue_->MoveAllToActiveOrBackoffQueue(event, {{}, {}, before, e.node, {}, {}});
  }
}

void Engine::On(NodeGone& e) {
  auto it = nodes_.find(e.name);
  if (it == nodes_.end()) return;
  log::V(3, "Delete event for node", {{"node", e.name}});
  const api::NodeRef node = it->second;
  nodes_.erase(it);
  Move(api::kResourceNode, BERTH_ACTION_DELETE,
       {{}, {}, node, {}, {}, {}});  // hints see the node once more, then it goes
  cache_.RemoveNode(e.name);
}

void Engine::On(NodesListed& e) {
  nodes_synced_ = true;
  if (!e.present) return;
  std::vector<NodeGone> gone;
  for (const auto& [name, node] : nodes_) {
    if (!e.present->contains(name)) gone.push_back({name});
  }
  for (NodeGone& node : gone) On(node);
}

// ---- pods ----

void Engine::On(PodsListed& e) {
  pods_synced_ = true;
  if (!e.present) return;
  std::vector<PodGone> gone;
  for (const auto& [key, pod] : pods_) {
    if (!e.present->contains(key)) gone.push_back({key});
  }
  for (PodGone& pod : gone) On(pod);
}

void Engine::On(PodSet& e) {
  const api::PodRef before = PodByKey(e.pod->key());
  if (e.pod->terminal()) {  // a finished pod takes nothing any more
    if (before) {
      pods_.erase(before->key());
      DeletePod(before);
    }
    return;
  }
  if (before && before->uid != e.pod->uid) {  // deleted and made again before we heard of it
    pods_.erase(before->key());
    DeletePod(before);
  }
  api::PodRef& known = pods_[e.pod->key()];
  const bool fresh = !known;
  known = e.pod;
  if (keys_by_uid_) keys_by_uid_->insert_or_assign(known->uid, known->key());
  if (fresh) {
    AddPod(e.pod);
  } else {
    UpdatePod(before, e.pod);
  }
}

void Engine::On(PodGone& e) {
  const api::PodRef before = PodByKey(e.key);
  if (!before) return;
  pods_.erase(before->key());
  DeletePod(before);
}

void Engine::AddPod(const api::PodRef& pod) {
  if (pod->abi.node_name != base::kNoId) {
    log::V(3, "Add event for scheduled pod", {{"pod", pod->key()}});
    if (auto done = cache_.AddPod(pod); !done)
      log::Error("Scheduler cache AddPod failed", {{"err", done.error().message}});
    Move(api::kResourceAssignedPod, BERTH_ACTION_ADD, {{}, pod, {}, {}, {}, {}});
  } else if (Responsible(*pod)) {
    log::V(3, "Add event for unscheduled pod", {{"pod", pod->key()}});
    queue_->Add(pod);
  }
}

void Engine::UpdatePod(const api::PodRef& before, const api::PodRef& after) {
  const bool was_assigned = before->abi.node_name != base::kNoId, is_assigned = after->abi.node_name != base::kNoId;
  if (was_assigned) {
    if (auto done = cache_.UpdatePod(after); !done)
      log::Error("Scheduler cache UpdatePod failed", {{"err", done.error().message}});
    for (const api::ClusterEvent& event : api::PodUpdateEvents(words_, *before, *after)) {
      queue_->MoveAllToActiveOrBackoffQueue(event, {before, after, {}, {}, {}, {}});
    }
  } else if (is_assigned) {
    if (Responsible(*before)) {
      log::V(3, "Delete event for unscheduled pod", {{"pod", after->key()}});
      queue_->Delete(*before);
    }
    const api::PodRef assumed = cache_.IsAssumed(after->uid) ? cache_.FindPod(after->uid) : api::PodRef();
    AddPod(after);
    if (assumed && assumed->abi.node_name != after->abi.node_name) AssumedPodElsewhere(assumed);
  } else if (Responsible(*before)) {
    UpdateUnassigned(before, after);
  }
}

void Engine::UpdateUnassigned(const api::PodRef& before, const api::PodRef& after) {
  if (!after->resource_version.empty() && before->resource_version == after->resource_version) return;
  if (cache_.IsAssumed(after->uid)) {
    const bool now_deleted =
        before->abi.deletion_unix_ns == BERTH_NO_TIME && after->abi.deletion_unix_ns != BERTH_NO_TIME;
    if (now_deleted) AssumedPodDeleted(after);
    return;
  }
  queue_->Update(before, after);
  if (before->abi.nominated_node != base::kNoId && before->abi.nominated_node != after->abi.nominated_node) {
    // The place it was promised is free for others of no higher priority.
    const int32_t priority = before->abi.priority;
    Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {before, {}, {}, {}, {}, {}},
         [priority](const api::Pod& pod) { return pod.abi.priority <= priority; });
  }
}

void Engine::DeletePod(const api::PodRef& pod) {
  if (keys_by_uid_) keys_by_uid_->erase(pod->uid);
  if (pod->abi.node_name != base::kNoId) {
    log::V(3, "Delete event for scheduled pod", {{"pod", pod->key()}});
    cache_.RemovePod(pod->uid);
    Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {pod, {}, {}, {}, {}, {}});
    return;
  }
  if (!Responsible(*pod)) return;
  log::V(3, "Delete event for unscheduled pod", {{"pod", pod->key()}});
  queue_->Delete(*pod);
  if (cache_.IsAssumed(pod->uid)) {
    binding_.GiveUp(pod->uid, "pod does not exist any more");  // in PreBind it would wait in vain
    AssumedPodDeleted(pod);
  } else if (pod->abi.nominated_node != base::kNoId) {
    const int32_t priority = pod->abi.priority;
    Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {pod, {}, {}, {}, {}, {}},
         [priority](const api::Pod& other) { return other.abi.priority <= priority; });
  }
}

void Engine::AssumedPodDeleted(const api::PodRef& pod) {
  const api::PodRef assumed = cache_.FindPod(pod->uid);
  if (!waiting_.RejectRemoved(pod->uid)) {
    // Its binding goes on and will fail at the API server.
    if (auto done = cache_.Forget(pod->uid); !done) log::Error("ForgetPod failed", {{"err", done.error().message}});
  }
  Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {assumed, {}, {}, {}, {}, {}});
}

// Somebody else bound the pod to another node than it was held for. Upstream leaves those who wait for the room alone
// (kubernetes/kubernetes#134859).
void Engine::AssumedPodElsewhere(const api::PodRef& assumed) {
  waiting_.RejectRemoved(assumed->uid);
  Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {assumed, {}, {}, {}, {}, {}});
}

// ---- the binding cycle's reports ----

void Engine::On(PermitOverMessage& m) { queue_->Done(m.uid); }

void Engine::On(FinishedMessage& m) {
  auto it = attempts_.find(m.job);
  if (it == attempts_.end()) return;
  Attempt& attempt = *it->second;
  if (m.status.ok()) {
    writes_.Event(*attempt.job.pod, "Normal", "Scheduled", "Binding",
                  "Successfully assigned " + attempt.job.pod->key() + " to " + attempt.job.node_name);
    EndAttempt(attempt, true);
  } else {
    BindingFailed(attempt, std::move(m.status), m.at_permit);
  }
}

}  // namespace berth::engine
