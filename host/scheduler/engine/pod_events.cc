#include "scheduler/engine/event_handlers.h"
#include "telemetry/log/log.h"

namespace berth::engine {
namespace {

// EventUnscheduledPodAdd, ... of pkg/scheduler/framework/events.go
constexpr api::ClusterEvent kUnscheduledPodAdd{api::kResourceUnschedulablePod, BERTH_ACTION_ADD, {}};
constexpr api::ClusterEvent kUnscheduledPodUpdate{api::kResourceUnschedulablePod, BERTH_ACTION_UPDATE, {}};
constexpr api::ClusterEvent kUnscheduledPodDelete{api::kResourceUnschedulablePod, BERTH_ACTION_DELETE, {}};

}  // namespace

void EventHandlers::On(PodSet& message) {
  Begin();
  const api::PodRef& pod = message.pod;
  const api::PodRef before = pods_.ByKey(pod->key());
  if (pod->terminal()) {  // a finished pod uses no resources
    if (before) RemovePod(before);
    return;
  }
  if (before && before->uid() != pod->uid()) RemovePod(before);  // deleted and created again between two messages
  if (pods_.Set(pod)) {
    AddPod(pod);
  } else {
    UpdatePod(before, pod);
  }
}

void EventHandlers::On(const PodGone& message) {
  Begin();
  const api::PodRef before = pods_.ByKey(message.key);
  if (before) RemovePod(before);
}

// The pod was deleted or has finished, which looks the same to a watch of unfinished pods.
void EventHandlers::RemovePod(const api::PodRef& pod) {
  pods_.Erase(pod);
  DeletePod(pod);
  writes_.PodDeleted(pod->uid());
}

void EventHandlers::On(const PodsListed& message) {
  pods_synced_ = true;
  if (!message.present) return;
  for (std::string& key : pods_.KeysNotIn(*message.present)) On(PodGone{.key = std::move(key)});
}

// addPod of pkg/scheduler/eventhandlers.go
void EventHandlers::AddPod(const api::PodRef& pod) {
  if (pod->abi.node_name != base::kNoId) {
    log::V(3, "Add event for scheduled pod", {{"pod", log::KObj(pod->key())}});
    if (auto done = cache_.AddPod(pod); !done) {
      log::Error("Scheduler cache AddPod failed", {{"err", done.error().message}, {"pod", log::KObj(pod->key())}});
    }
    Move(api::kResourceAssignedPod, BERTH_ACTION_ADD, {.new_pod = pod});
  } else if (policy_.Responsible(*pod)) {
    log::V(3, "Add event for unscheduled pod", {{"pod", log::KObj(pod->key())}});
    queue_.Add(pod);
    Handled(kUnscheduledPodAdd);
  }
}

// updatePod of pkg/scheduler/eventhandlers.go
void EventHandlers::UpdatePod(const api::PodRef& before, const api::PodRef& after) {
  if (before->abi.node_name != base::kNoId) {
    UpdateAssigned(before, after);
  } else if (after->abi.node_name != base::kNoId) {
    Assigned(before, after);
  } else if (policy_.Responsible(*before)) {
    UpdateUnassigned(before, after);
  }
}

// updateAssignedPodInCache of pkg/scheduler/eventhandlers.go
void EventHandlers::UpdateAssigned(const api::PodRef& before, const api::PodRef& after) {
  log::V(4, "Update event for scheduled pod", {{"pod", log::KObj(before->key())}});
  if (auto done = cache_.UpdatePod(after); !done) {
    log::Error("Scheduler cache UpdatePod failed", {{"err", done.error().message}, {"pod", log::KObj(before->key())}});
  }
  for (const api::ClusterEvent& event : api::PodUpdateEvents(intern_, *before, *after)) {
    Move(event, {.old_pod = before, .new_pod = after});
  }
}

// The pod has been bound, by this scheduler or by another client.
void EventHandlers::Assigned(const api::PodRef& before, const api::PodRef& after) {
  if (policy_.Responsible(*before)) {
    log::V(3, "Delete event for unscheduled pod", {{"pod", log::KObj(after->key())}});
    queue_.Delete(*before);
    Handled(kUnscheduledPodDelete);
  }
  const api::PodRef assumed = cache_.IsAssumed(after->uid()) ? cache_.FindPod(after->uid()) : api::PodRef();
  AddPod(after);
  if (assumed && assumed->abi.node_name != after->abi.node_name) AssumedPodElsewhere(assumed);
}

// updatePodInSchedulingQueue of pkg/scheduler/eventhandlers.go
void EventHandlers::UpdateUnassigned(const api::PodRef& before, const api::PodRef& after) {
  if (!after->resource_version().empty() && before->resource_version() == after->resource_version()) return;
  if (cache_.IsAssumed(after->uid())) {
    const bool now_deleted =
        before->abi.deletion_unix_ns == BERTH_NO_TIME && after->abi.deletion_unix_ns != BERTH_NO_TIME;
    if (now_deleted) AssumedPodDeleted(after);
    return;
  }
  log::V(4, "Update event for unscheduled pod", {{"pod", log::KObj(after->key())}});
  queue_.Update(before, after);
  Handled(kUnscheduledPodUpdate);
  if (before->abi.nominated_node != base::kNoId && before->abi.nominated_node != after->abi.nominated_node) {
    NominationGone(before);
  }
}

// deletePod and deletePodFromSchedulingQueue of pkg/scheduler/eventhandlers.go
void EventHandlers::DeletePod(const api::PodRef& pod) {
  if (pod->abi.node_name != base::kNoId) {
    log::V(3, "Delete event for scheduled pod", {{"pod", log::KObj(pod->key())}});
    cache_.RemovePod(pod->uid());
    Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {.old_pod = pod});
    return;
  }
  if (!policy_.Responsible(*pod)) return;
  log::V(3, "Delete event for unscheduled pod", {{"pod", log::KObj(pod->key())}});
  queue_.Delete(*pod);
  Handled(kUnscheduledPodDelete);
  if (cache_.IsAssumed(pod->uid())) {
    binding_.GiveUp(pod->uid(), "pod does not exist any more");  // PreBind would wait for nothing
    AssumedPodDeleted(pod);
  } else if (pod->abi.nominated_node != base::kNoId) {
    NominationGone(pod);
  }
}

// handleAssumedPodDeletion of pkg/scheduler/eventhandlers.go
void EventHandlers::AssumedPodDeleted(const api::PodRef& pod) {
  const api::PodRef assumed = cache_.FindPod(pod->uid());
  if (!waiting_.RejectRemoved(pod->uid())) {
    // The binding cycle continues and fails at the API server.
    if (auto done = cache_.Forget(pod->uid()); !done) log::Error("ForgetPod failed", {{"err", done.error().message}});
  }
  Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {.old_pod = assumed});
}

// Another client has bound the pod to another node than the assumed one. kube-scheduler sends no event for the room on
// the assumed node (kubernetes/kubernetes#134859).
void EventHandlers::AssumedPodElsewhere(const api::PodRef& assumed) {
  waiting_.RejectRemoved(assumed->uid());
  Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {.old_pod = assumed});
}

// The room on the nominated node is free for pods of the same or a lower priority (getLEPriorityPreCheck of
// pkg/scheduler/eventhandlers.go).
void EventHandlers::NominationGone(const api::PodRef& pod) {
  const int32_t priority = pod->abi.priority;
  Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, {.old_pod = pod},
       [priority](const api::Pod& other) { return other.abi.priority <= priority; });
}

}  // namespace berth::engine
