// What a failed attempt leads to: the pod returns to the queue, and the API server gets an event and a condition.
// Source: handleSchedulingFailure and handleBindingCycleError of pkg/scheduler/schedule_one.go.
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "scheduler/engine/attempts.h"
#include "telemetry/log/log.h"

namespace berth::engine {
namespace {

constexpr size_t kMaxEventNote = 1024;  // bytes; a longer message is cut and ends in " ..."

// Cut between two characters of UTF-8.
std::string Truncated(std::string message) {
  constexpr std::string_view kSuffix = " ...";
  if (message.size() <= kMaxEventNote) return message;
  size_t end = kMaxEventNote - kSuffix.size();
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;
  return message.substr(0, end).append(kSuffix);
}

}  // namespace

// handleBindingCycleError of pkg/scheduler/schedule_one.go
void Attempts::BindingFailed(Attempt& attempt, plugin::Status status, bool at_permit) {
  cycle::CycleResult& result = attempt.result;
  const api::PodRef assumed = attempt.job.pod;
  const bool rejected = status.rejected();
  result.nominating = {.mode = queue::NominatingMode::kOverride, .node = base::kNoId};
  if (at_permit && rejected) {
    result.outcome = cycle::Outcome::kFitError;
    result.unschedulable_plugins.Clear();
    result.pending_plugins.Clear();
    // As in kube-scheduler, no plugin has rejected a pod that was removed: the name is "".
    result.unschedulable_plugins.Insert(status.plugin);
    result.message = cycle::OneNodeFitError(status);
    status.reasons = {result.message};
  } else {
    result.outcome = cycle::Outcome::kError;
    result.message = status.Message();
  }
  result.status = std::move(status);

  auto forgotten = cache_.Forget(assumed->uid());
  if (!forgotten) log::Error("ForgetPod failed", {{"err", forgotten.error().message}});
  if (ending_) {  // the next scheduler tries the pod again, so this failure is not reported
    queue_.Done(assumed->uid());
    return EndAttempt(attempt, false);
  }
  const api::ClusterEvent deleted{api::kResourceAssignedPod, BERTH_ACTION_DELETE, {}};
  const queue::EventObjects objects{.old_pod = assumed};
  if (forgotten && !rejected) queue_.MoveAllToActiveOrBackoffQueue(deleted, objects);
  HandleFailure(attempt);
  if (forgotten && rejected) {  // the pod is back in the queue, and its own event must not move it
    queue_.MoveAllToActiveOrBackoffQueue(deleted, objects,
                                         [&](const api::Pod& pod) { return pod.uid() != assumed->uid(); });
  }
  EndAttempt(attempt, false);
}

// handleSchedulingFailure of pkg/scheduler/schedule_one.go
void Attempts::HandleFailure(Attempt& attempt) {
  const cycle::CycleResult& result = attempt.result;
  queue::QueuedPod& queued = *attempt.queued;
  const api::PodRef tried = queued.pod;
  recorder_.Record(attempt, false);
  queued.ClearRejectorPlugins();
  queued.rejected_nodes = {};
  if (result.outcome == cycle::Outcome::kNoNodes) {
    log::V(2, "Unable to schedule pod; no nodes are registered to the cluster; waiting",
           {{"pod", log::KObj(tried->key())}});
  } else if (result.outcome == cycle::Outcome::kFitError) {
    queued.rejected_nodes = queue_.rejections().Add(result.rejected_nodes);
    queued.unschedulable_plugins = result.unschedulable_plugins;
    queued.pending_plugins = result.pending_plugins;
    log::V(2, "Unable to schedule pod; no fit; waiting", {{"pod", log::KObj(tried->key())}, {"err", result.message}});
  } else {
    log::Error("Error scheduling pod; retrying", {{"err", result.message}, {"pod", log::KObj(tried->key())}});
  }

  const api::PodRef pod = Requeue(attempt, tried);
  if (!pod) return;
  queue_.AddNominatedPod(pod, result.nominating);
  writes_.Event(*pod, "Warning", "FailedScheduling", "Scheduling", Truncated(NoteOf(attempt)));
  const api::PodRef exists = pods_.ByKey(pod->key());
  if (!exists || exists->uid() != pod->uid()) return;  // kube-scheduler patches the status of a deleted pod, too
  PatchFailure(attempt, pod);
  Annotate(attempt, pod, false);
}

// kube-scheduler's message, and what else is known about nodes that Filter rejected. The time that this takes is a part
// of the time for tables, so that a busy scheduler makes fewer of both.
std::string Attempts::NoteOf(const Attempt& attempt) const {
  const cycle::CycleResult& result = attempt.result;
  const bool by_filter = result.outcome == cycle::Outcome::kFitError && result.feasible_nodes == 0;
  if (failure_notes_ == nullptr || !by_filter || result.table == nullptr) return result.message;
  const decisions::NodeTableWriter::Timed timed(recorder_.writer());
  const std::string details = failure_notes_->DetailsOf({cache_, queue_.nominator()}, *attempt.job.pod, *result.table);
  if (details.empty()) return result.message;
  return result.message + (result.message.ends_with('.') ? " " : ". ") + details;
}

// Returns the pod to report the failure of; null: there is nothing to report.
api::PodRef Attempts::Requeue(Attempt& attempt, const api::PodRef& tried) {
  api::PodRef now = pods_.ByKey(tried->key());
  if (!now) {
    log::Info("Pod doesn't exist in informer cache", {{"pod", log::KObj(tried->key())}});
    queue_.Done(tried->uid());
    return tried;
  }
  if (now->abi.node_name != base::kNoId) {
    log::Info("Pod has been assigned to node. Abort adding it back to queue.",
              {{"pod", log::KObj(tried->key())}, {"node", std::string(intern_.ids.Text(now->abi.node_name))}});
    queue_.Done(tried->uid());
    return tried;
  }
  if (now->uid() != tried->uid()) {
    log::V(2, "Pod was recreated while handling scheduling failure. Skip requeueing and status updates.",
           {{"pod", log::KObj(tried->key())}, {"oldUID", tried->uid()}, {"newUID", now->uid()}});
    queue_.Done(tried->uid());
    return {};
  }
  if (!policy_.Responsible(*now)) {  // a publication removed its profile during the attempt
    queue_.Done(tried->uid());
    if (now->abi.nominated_node != base::kNoId) writes_.PatchStatus(now, {.nominated_node = ""});
    return {};
  }
  attempt.queued->pod = now;
  auto requeued = queue_.AddUnschedulableIfNotPresent(std::move(attempt.queued));
  if (!requeued) log::Error("Error occurred", {{"err", requeued.error().message}});
  return now;
}

void Attempts::PatchFailure(Attempt& attempt, const api::PodRef& pod) {
  const cycle::CycleResult& result = attempt.result;
  StatusPatch patch;
  const std::string reason = result.status.rejected() ? "Unschedulable" : "SchedulerError";
  const api::PodScheduledCondition& had = pod->scheduled_condition();
  if (had.status != "False" || had.reason != reason || had.message != result.message) {
    patch.condition = api::PodScheduledCondition{"False", reason, result.message, pod->abi.generation};
  }
  if (result.nominating.mode == queue::NominatingMode::kOverride) {
    const std::string_view wanted = intern_.ids.Text(result.nominating.node);
    // The nomination that the binding cycle has written may not have come back from the API server yet.
    if (attempt.job.nominated || wanted != intern_.ids.Text(pod->abi.nominated_node))
      patch.nominated_node = std::string(wanted);
  }
  if (patch.condition || patch.nominated_node) writes_.PatchStatus(pod, std::move(patch));
}

}  // namespace berth::engine
