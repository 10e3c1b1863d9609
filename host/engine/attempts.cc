// One pod's attempt: the skip rules, the cycle, assuming, the hand-over to binding, and what a failure leads to
// (core.md 1.1, 1.2, 1.11, 1.15).
#include "base/random.h"
#include "engine/engine.h"
#include "log/log.h"

namespace berth::engine {
namespace {

constexpr size_t kMaxEventNote = 1024;  // bytes; a longer message ends in " ..."

std::string Truncated(const std::string& message) {
  constexpr std::string_view kSuffix = " ...";
  if (message.size() <= kMaxEventNote) return message;
  return message.substr(0, kMaxEventNote - kSuffix.size()) + std::string(kSuffix);
}

}  // namespace

bool Engine::ScheduleOne() {
  queue::QueuedPodPtr queued = queue_->Pop();
  if (!queued) return false;
  framework::Profile* profile = profiles_->Find(queued->profile());
  if (profile == nullptr) {
    log::Error("Error occurred", {{"err", "profile not found for scheduler name \"" +
                                              std::string(words_.ids.Text(queued->profile())) + "\""}});
    queue_->Done(queued->pod->uid);
    return true;
  }
  if (SkipPod(*queued->pod)) {
    queue_->Done(queued->pod->uid);
    return true;
  }
  RunAttempt(*profile, std::move(queued));
  return true;
}

bool Engine::SkipPod(const api::Pod& pod) {
  if (pod.abi.deletion_unix_ns != BERTH_NO_TIME) {
    writes_.Event(pod, "Warning", "FailedScheduling", "Scheduling", "skip schedule deleting pod: " + pod.key());
    log::V(3, "Skip schedule deleting pod", {{"pod", pod.key()}});
    return true;
  }
  return cache_.IsAssumed(pod.uid);
}

Attempt& Engine::NewAttempt() {
  std::unique_ptr<Attempt> attempt;
  if (spare_attempts_.empty()) {
    attempt = std::make_unique<Attempt>();
  } else {
    attempt = std::move(spare_attempts_.back());
    spare_attempts_.pop_back();
  }
  Attempt& ref = *attempt;
  attempts_.emplace(&ref.job, std::move(attempt));
  return ref;
}

void Engine::RunAttempt(framework::Profile& profile, queue::QueuedPodPtr queued) {
  const api::PodRef subject = queued->pod;
  const plugin::PodScope scope(subject.get());
  const base::Id scheduler = queued->profile();
  log::V(3, "Attempting to schedule pod", {{"pod", queued->key()}});
  Attempt& attempt = NewAttempt();
  attempt.job.policy = profiles_;
  attempt.job.profile = &profile;
  attempt.queued = std::move(queued);
  const int64_t started = attempt.started_mono_ns = clock_.MonoNs();
  attempt.result.Reset();
  attempt.job.nominated = false;
  attempt.waits.clear();
  plugin::BeginCycle(attempt.cycle, profile.slots(), cache_.snap(),
                     base::Mix(options_.seed ^ static_cast<uint64_t>(queue_->scheduling_cycle())));
  attempt.cycle.reasons = &reasons_;
  attempt.job.cycle = &attempt.cycle;
  attempt.job.pod = attempt.queued->pod;

  cycle_->Choose(profile, attempt.cycle, *attempt.queued->pod, observer_.RecordFor(*attempt.queued->pod),
                 attempt.result);
  attempt.chosen_mono_ns = clock_.MonoNs();
  if (attempt.result.outcome == cycle::Outcome::kChosen) StartBinding(attempt);
  attempt.cycle.snap = nullptr;
  plugin::FreeSlot(attempt.cycle, BERTH_SLOT_CYCLE, profile.instances());
  if (attempt.result.outcome == cycle::Outcome::kChosen) {
    binding_.Start(attempt.job);
  } else {
    HandleFailure(attempt);
    EndAttempt(attempt, false);
  }
  if (profiles_->profiles.size() > 1) queue_->NoteHeld(scheduler, clock_.MonoNs() - started);
}

// Assume, Reserve, Permit; on refusal the result is a failure and nothing is left assumed.
void Engine::StartBinding(Attempt& attempt) {
  bind::BindJob& job = attempt.job;
  job.node_name = attempt.result.node_name;
  job.node = base::OwnedId(words_.ids, job.node_name);
  job.pod = api::WithNodeName(words_, *attempt.queued->pod, job.node_name);
  job.evaluated_nodes = attempt.result.evaluated_nodes;
  job.feasible_nodes = attempt.result.feasible_nodes;
  job.waits_on_permit = false;
  if (auto assumed = cache_.Assume(job.pod); !assumed) {
    log::Error("Scheduler cache AssumePod failed", {{"err", assumed.error().message}});
    attempt.result.outcome = cycle::Outcome::kError;
    attempt.result.status = plugin::ErrorStatus(assumed.error().message);
    attempt.result.message = assumed.error().message;
    attempt.result.nominating.mode = queue::NominatingMode::kOverride;
    return;
  }
  queue_->DeleteNominatedPodIfExists(job.pod->uid);
  cycle_->ReserveAndPermit(*job.profile, attempt.cycle, *job.pod, job.node.get(), attempt.result, attempt.waits);
  if (attempt.result.outcome != cycle::Outcome::kChosen) {
    if (auto done = cache_.Forget(job.pod->uid); !done) log::Error("ForgetPod failed", {{"err", done.error().message}});
    return;
  }
  if (attempt.waits.empty()) return;
  job.waits_on_permit = true;
  waiting_.Add(job.pod, attempt.waits, clock_.MonoNs());
}

void Engine::BindingFailed(Attempt& attempt, plugin::Status status, bool at_permit) {
  cycle::CycleResult& result = attempt.result;
  const api::PodRef assumed = attempt.job.pod;
  const bool rejected = status.rejected();
  result.nominating = {queue::NominatingMode::kOverride, base::kNoId};
  if (at_permit && rejected) {
    result.outcome = cycle::Outcome::kFitError;
    result.unschedulable_plugins.Clear();
    result.pending_plugins.Clear();
    // Of a pod that was removed meanwhile no plugin is to blame, and none's hint: "", as upstream.
    result.unschedulable_plugins.Insert(status.plugin);
    result.message = cycle::OneNodeFitError(status);
    status.reasons = {result.message};
  } else {
    result.outcome = cycle::Outcome::kError;
    result.message = status.Message();
  }
  result.status = std::move(status);

  auto forgotten = cache_.Forget(assumed->uid);
  if (!forgotten) log::Error("ForgetPod failed", {{"err", forgotten.error().message}});
  if (ending_) {  // the next scheduler tries it again; nobody is to read that it failed
    queue_->Done(assumed->uid);
    return EndAttempt(attempt, false);
  }
  const queue::EventObjects gone{assumed, {}, {}, {}, {}, {}};
  if (forgotten && !rejected) Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, gone);
  HandleFailure(attempt);
  if (forgotten && rejected) {  // after the pod is back in the queue, so that its own end does not wake it
    Move(api::kResourceAssignedPod, BERTH_ACTION_DELETE, gone,
         [&](const api::Pod& pod) { return pod.uid != assumed->uid; });
  }
  EndAttempt(attempt, false);
}

void Engine::HandleFailure(Attempt& attempt) {
  const cycle::CycleResult& result = attempt.result;
  queue::QueuedPod& queued = *attempt.queued;
  const api::PodRef tried = queued.pod;
  queued.ClearRejectorPlugins();
  if (result.outcome == cycle::Outcome::kNoNodes) {
    log::V(2, "Unable to schedule pod; no nodes are registered to the cluster; waiting", {{"pod", tried->key()}});
  } else if (result.outcome == cycle::Outcome::kFitError) {
    queued.unschedulable_plugins = result.unschedulable_plugins;
    queued.pending_plugins = result.pending_plugins;
    log::V(2, "Unable to schedule pod; no fit; waiting", {{"pod", tried->key()}, {"err", result.message}});
  } else {
    log::Error("Error scheduling pod; retrying", {{"pod", tried->key()}, {"err", result.message}});
  }

  api::PodRef pod = tried;
  const api::PodRef now = PodByKey(tried->key());
  if (!now) {
    log::Info("Pod doesn't exist in informer cache", {{"pod", tried->key()}});
    queue_->Done(tried->uid);
  } else if (now->abi.node_name != base::kNoId) {
    log::Info("Pod has been assigned to node. Abort adding it back to queue.",
              {{"pod", tried->key()}, {"node", std::string(words_.ids.Text(now->abi.node_name))}});
    queue_->Done(tried->uid);
  } else if (now->uid != tried->uid) {
    log::V(2, "Pod was recreated while handling scheduling failure. Skip requeueing and status updates.",
           {{"pod", tried->key()}});
    queue_->Done(tried->uid);
    return;
  } else if (!Responsible(*now)) {  // its profile was removed while it was tried
    queue_->Done(tried->uid);
    if (now->abi.nominated_node != base::kNoId) writes_.PatchStatus(now, StatusPatch{std::nullopt, ""});
    return;
  } else {
    pod = now;
    queued.pod = now;
    auto requeued = queue_->AddUnschedulableIfNotPresent(std::move(attempt.queued));
    if (!requeued) log::Error("Error occurred", {{"err", requeued.error().message}});
  }
  queue_->AddNominatedPod(pod, result.nominating);
  writes_.Event(*pod, "Warning", "FailedScheduling", "Scheduling", Truncated(result.message));
  PatchFailure(attempt, pod);
}

void Engine::PatchFailure(Attempt& attempt, const api::PodRef& pod) {
  const cycle::CycleResult& result = attempt.result;
  StatusPatch patch;
  const std::string reason = result.status.rejected() ? "Unschedulable" : "SchedulerError";
  const api::PodScheduledCondition& had = pod->scheduled_condition;
  if (had.status != "False" || had.reason != reason || had.message != result.message) {
    patch.condition = api::PodScheduledCondition{"False", reason, result.message, pod->abi.generation};
  }
  if (result.nominating.mode == queue::NominatingMode::kOverride) {
    const std::string_view wanted = words_.ids.Text(result.nominating.node);
    // What the binding cycle wrote may not have come back yet.
    if (attempt.job.nominated || wanted != words_.ids.Text(pod->abi.nominated_node))
      patch.nominated_node = std::string(wanted);
  }
  if (patch.condition || patch.nominated_node) writes_.PatchStatus(pod, std::move(patch));
}

void Engine::EndAttempt(Attempt& attempt, bool bound) {
  observer_.OnAttempt({*attempt.job.pod, *attempt.job.profile, attempt.result, attempt.job.policy->generation, bound,
                       attempt.started_mono_ns, attempt.chosen_mono_ns, attempt.queued.get()});
  plugin::FreeSlot(attempt.cycle, BERTH_SLOT_ATTEMPT, attempt.job.profile->instances());
  SettleAdopted(attempt, bound);
  auto it = attempts_.find(&attempt.job);
  std::unique_ptr<Attempt> spare = std::move(it->second);
  attempts_.erase(it);
  spare->queued.reset();
  spare->job.pod = {};
  spare->job.policy.reset();
  spare->job.profile = nullptr;
  if (spare_attempts_.size() < 4096) spare_attempts_.push_back(std::move(spare));
}

}  // namespace berth::engine
