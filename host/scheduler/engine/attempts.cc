#include "scheduler/engine/attempts.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "plugin/instance/cycle.h"
#include "scheduler/engine/handover.h"
#include "scheduler/framework/serial_points.h"
#include "telemetry/log/log.h"
#include "telemetry/trace/current.h"

namespace berth::engine {

Attempts::Attempts(const Collaborators& with)
    : intern_(with.intern),
      clock_(with.clock),
      writes_(with.writes),
      observer_(with.observer),
      cache_(with.cache),
      queue_(with.queue),
      cycle_(with.cycle),
      reasons_(with.reasons),
      policy_(with.policy),
      pods_(with.pods),
      waiting_(with.waiting),
      binding_(with.binding),
      seed_(with.seed),
      sample_seed_(base::MixText(with.seed, "plugin durations")),
      tracer_(with.tracer),
      recorder_(with.recorder),
      failure_notes_(with.failure_notes),
      annotations_(with.annotations),
      assumed_(with.intern) {}

// The owner has stopped the executor before, so no binding cycle uses an attempt.
Attempts::~Attempts() {
  for (auto& [job, attempt] : in_flight_) {
    if (attempt->job.profile == nullptr) continue;
    plugin::FreeSlot(attempt->cycle, BERTH_SLOT_CYCLE, attempt->job.profile->instances());
    plugin::FreeSlot(attempt->cycle, BERTH_SLOT_ATTEMPT, attempt->job.profile->instances());
  }
}

void Attempts::On(const PermitOver& message) { queue_.Done(message.uid); }

void Attempts::On(BindingFinished& message) {
  auto it = in_flight_.find(message.job);
  if (it == in_flight_.end()) return;
  Attempt& attempt = *it->second;
  const trace::Scope cause(attempt.job.trace.root());
  if (message.status.ok()) {
    writes_.Event(*attempt.job.pod, "Normal", "Scheduled", "Binding",
                  "Successfully assigned " + std::string(attempt.job.pod->key()) + " to " + attempt.job.node_name);
    EndAttempt(attempt, true);
  } else {
    BindingFailed(attempt, std::move(message.status), message.at_permit);
  }
}

void Attempts::GiveUp(const std::string& cause) {
  waiting_.RejectAll(cause);
  for (const auto& [job, attempt] : in_flight_) binding_.GiveUp(job->pod->uid(), cause);
}

void Attempts::BeginShutdown() {
  ending_ = true;
  GiveUp("scheduler is shutting down");
}

void Attempts::Abandon() {
  for (auto& [job, attempt] : in_flight_) {
    log::Warning("Binding did not end in time, its outcome is unknown",
                 {{"pod", log::KObj(job->pod->key())}, {"node", job->node_name}});
    framework::RunUnreservePlugins({*job->profile, *job->cycle, *job->pod}, job->node.get());
  }
}

std::vector<InFlightAttempt> Attempts::InFlight() const {
  std::vector<InFlightAttempt> all;
  for (const auto& [job, attempt] : in_flight_) {
    all.push_back(
        {.pod = std::string(job->pod->key()), .profile = job->profile->scheduler_name(), .node = job->node_name});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.pod < b.pod; });
  return all;
}

bool Attempts::ScheduleOne() {
  queue::QueuedPodPtr queued = queue_.Pop();
  if (!queued) return false;
  framework::Profile* profile = policy_.Find(queued->profile());
  if (profile == nullptr) {
    log::Error("Error occurred", {{"err", "profile not found for scheduler name \"" +
                                              std::string(intern_.ids.Text(queued->profile())) + "\""}});
    queue_.Done(queued->pod->uid());
    return true;
  }
  log::V(4, "About to try and schedule pod", {{"pod", log::KObj(queued->key())}});
  if (SkipPod(*queued->pod)) {
    queue_.Done(queued->pod->uid());
    return true;
  }
  RunAttempt(*profile, std::move(queued));
  return true;
}

// skipPodSchedule of pkg/scheduler/schedule_one.go
bool Attempts::SkipPod(const api::Pod& pod) {
  if (pod.abi.deletion_unix_ns != BERTH_NO_TIME) {
    writes_.Event(pod, "Warning", "FailedScheduling", "Scheduling",
                  "skip schedule deleting pod: " + std::string(pod.key()));
    log::V(3, "Skip schedule deleting pod", {{"pod", log::KObj(pod.key())}});
    return true;
  }
  return cache_.IsAssumed(pod.uid());
}

Attempt& Attempts::NewAttempt() {
  if (spare_.empty()) {
    auto attempt = std::make_unique<Attempt>();
    Attempt& ref = *attempt;
    in_flight_.emplace(&ref.job, std::move(attempt));
    return ref;
  }
  InFlightMap::node_type spare = std::move(spare_.back());
  spare_.pop_back();
  return *in_flight_.insert(std::move(spare)).position->second;
}

// Whether the plugins of this cycle are timed. Not from the cycle's own random numbers: a decision does not depend on
// it.
bool Attempts::Sampled() const {
  const auto cycle = static_cast<uint64_t>(queue_.scheduling_cycle());
  return base::Mix(sample_seed_ ^ cycle) % 100 < framework::kSampledPercent;
}

void Attempts::RunAttempt(framework::Profile& profile, queue::QueuedPodPtr queued) {
  const api::PodRef subject = queued->pod;
  const plugin::PodScope scope(subject.get());
  const base::Id scheduler = queued->profile();
  log::V(3, "Attempting to schedule pod", {{"pod", log::KObj(queued->key())}});
  Attempt& attempt = NewAttempt();
  attempt.job.policy = policy_.shared();
  attempt.job.profile = &profile;
  attempt.queued = std::move(queued);
  const int64_t started = attempt.started_mono_ns = clock_.MonoNs();
  attempt.result.Reset();
  attempt.job.nominated = false;
  attempt.job.trace = tracer_ == nullptr ? framework::AttemptTrace() : framework::AttemptTrace(*tracer_);
  const trace::Scope cause(attempt.job.trace.root());
  attempt.waits.clear();
  attempt.job.points = {};
  attempt.job.permit_wait_ns = 0;
  profile.times().BeginAttempt();
  plugin::BeginCycle(attempt.cycle, profile.slots(), cache_.snap(),
                     base::Mix(seed_ ^ static_cast<uint64_t>(queue_.scheduling_cycle())));
  attempt.cycle.reasons = &reasons_;
  attempt.job.cycle = &attempt.cycle;
  attempt.job.pod = attempt.queued->pod;

  attempt.job.sampled = Sampled();
  const cycle::RecordNodes record = observer_.RecordFor(*attempt.queued->pod);
  cycle_.Run({profile, attempt.cycle, *attempt.queued->pod, record, attempt.job.sampled, attempt.job.trace,
              recorder_.NextWriter()},
             attempt.result);
  attempt.chosen_mono_ns = clock_.MonoNs();
  if (attempt.result.outcome == cycle::Outcome::kChosen) StartBinding(attempt);
  attempt.points = profile.times().attempt();
  attempt.cycle.snap = nullptr;
  plugin::FreeSlot(attempt.cycle, BERTH_SLOT_CYCLE, profile.instances());
  if (attempt.result.outcome == cycle::Outcome::kChosen) {
    binding_.Start(attempt.job);
  } else {
    HandleFailure(attempt);
    EndAttempt(attempt, false);
  }
  if (policy_.profiles().profiles.size() > 1) queue_.NoteHeld(scheduler, clock_.MonoNs() - started);
}

template <class Fn>
bool Attempts::WithPreview(const api::Pod& pod, cycle::CycleResult& result, Fn&& then) {
  framework::Profile* profile = policy_.Find(pod.abi.scheduler_name);
  if (profile == nullptr) return false;
  const std::shared_ptr<const framework::ProfileSet> policy = policy_.shared();
  const plugin::PodScope scope(&pod);
  berth_cycle cycle;
  recorder_.ChargeTable();
  result.Reset();
  plugin::BeginCycle(cycle, profile->slots(), cache_.snap(), seed_);
  cycle.reasons = &reasons_;
  const framework::CycleContext ctx{
      *profile, cycle, pod, cycle::RecordNodes::kNone, false, framework::kNotTraced, &recorder_.writer(), true};
  cycle_.Preview(ctx, result);
  then(ctx);
  cycle.snap = nullptr;
  plugin::FreeSlot(cycle, BERTH_SLOT_CYCLE, profile->instances());
  plugin::FreeSlot(cycle, BERTH_SLOT_ATTEMPT, profile->instances());
  recorder_.writer().TakeSpentNs();
  return true;
}

bool Attempts::Preview(const api::Pod& pod, cycle::CycleResult& result) {
  return WithPreview(pod, result, [](const framework::CycleContext&) {});
}

std::vector<std::string> Attempts::NodesForRoom(const api::Pod& pod, size_t most) {
  cycle::CycleResult result;
  std::vector<std::string> nodes;
  WithPreview(pod, result, [&](const framework::CycleContext&) {
    if (result.outcome != cycle::Outcome::kFitError) return;
    for (const uint32_t row : cycle_.RowsForRoom(most)) nodes.push_back(cache_.node(row)->name);
  });
  return nodes;
}

std::vector<std::string> Attempts::PodsToLeave(const api::Pod& pod, const std::string& node) {
  cycle::CycleResult result;
  std::vector<std::string> pods;
  WithPreview(pod, result, [&](const framework::CycleContext& ctx) {
    const uint32_t row = cache_.RowOf(intern_.ids.Find(node));
    if (result.outcome != cycle::Outcome::kFitError || row == cache::kNoRow) return;
    for (const berth_pod* one : cycle_.PodsToLeave(ctx, row)) {
      pods.push_back(std::string(intern_.ids.Text(one->ns)) + "/" + std::string(one->name.ptr, one->name.len));
    }
  });
  return pods;
}

// Assume, Reserve, Permit. When a plugin refuses, the result is a failure and the cache has forgotten the pod.
void Attempts::StartBinding(Attempt& attempt) {
  bind::BindJob& job = attempt.job;
  job.node_name = attempt.result.node_name;
  job.node = base::OwnedId(intern_.ids, cache_.node(attempt.result.row)->abi.name);
  job.pod = assumed_.WithNodeName(*attempt.queued->pod, job.node.get());
  job.evaluated_nodes = attempt.result.evaluated_nodes;
  job.feasible_nodes = attempt.result.feasible_nodes;
  job.waits_on_permit = false;
  if (!cycle_.Assume(job.pod, attempt.result)) return;
  cycle_.ReserveAndPermit({*job.profile, attempt.cycle, *job.pod, cycle::RecordNodes::kNone, job.sampled, job.trace},
                          job.node.get(), attempt.result, attempt.waits);
  if (attempt.result.outcome != cycle::Outcome::kChosen) {
    if (auto done = cache_.Forget(job.pod->uid()); !done)
      log::Error("ForgetPod failed", {{"err", done.error().message}});
    return;
  }
  if (attempt.waits.empty()) return;
  job.waits_on_permit = true;
  waiting_.Add(job.pod, attempt.waits, clock_.MonoNs());
}

void Attempts::EndTrace(const Attempt& attempt, bool bound) const {
  const api::Pod& pod = *attempt.job.pod;
  const bool rejected = attempt.result.status.rejected();
  attempt.job.trace.End({.ns = intern_.ids.Text(pod.abi.ns),
                         .name = pod.name(),
                         .uid = pod.uid(),
                         .profile = attempt.job.profile->scheduler_name(),
                         .result = bound      ? "scheduled"
                                   : rejected ? "unschedulable"
                                              : "error",
                         .node = attempt.result.node_name,
                         .message = bound ? std::string_view() : attempt.result.message,
                         .generation = attempt.job.policy->generation});
}

void Attempts::Annotate(const Attempt& attempt, const api::PodRef& pod, bool bound) {
  if (annotations_ == nullptr) return;
  const std::string_view node = bound ? std::string_view(attempt.result.node_name) : std::string_view();
  MakeAnnotations make = annotations_->After(*attempt.job.profile, attempt.result.table, node);
  if (make) writes_.Annotate(pod, std::move(make));
}

void Attempts::EndAttempt(Attempt& attempt, bool bound) {
  if (attempt.job.trace.sampled()) EndTrace(attempt, bound);
  if (bound) {
    recorder_.Record(attempt, true);
    Annotate(attempt, attempt.job.pod, true);
  }
  observer_.OnAttempt({.pod = *attempt.job.pod,
                       .profile = *attempt.job.profile,
                       .result = attempt.result,
                       .generation = attempt.job.policy->generation,
                       .bound = bound,
                       .started_mono_ns = attempt.started_mono_ns,
                       .chosen_mono_ns = attempt.chosen_mono_ns,
                       .queued = attempt.queued.get()});
  plugin::FreeSlot(attempt.cycle, BERTH_SLOT_ATTEMPT, attempt.job.profile->instances());
  SettleAdopted(attempt, bound);
  InFlightMap::node_type spare = in_flight_.extract(&attempt.job);
  attempt.queued.reset();
  attempt.job.pod = {};
  attempt.job.policy.reset();
  attempt.job.profile = nullptr;
  attempt.result.table.reset();
  if (spare_.size() < kMostSpare) spare_.push_back(std::move(spare));
}

}  // namespace berth::engine
