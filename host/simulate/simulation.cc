#include "simulate/simulation.h"

#include <utility>

namespace berth::simulate {
namespace {

// Nobody waits this long for a simulation: the flush of unschedulable pods is put beyond it, since trying a pod again
// in an unchanged cluster proves nothing.
constexpr int64_t kForEver = 365 * 24 * 3600 * base::kSecond;
constexpr int kMostAttempts = 100;  // of a pod, one after the other, in a cluster that does not change

engine::EngineOptions WithoutFlush(engine::EngineOptions options) {
  options.queue.pod_max_in_unschedulable_pods_ns = 10 * kForEver;
  return options;
}

const char* ResultName(const engine::AttemptReport& report) {
  if (report.bound) return "Scheduled";
  return report.result.status.rejected() ? "Unschedulable" : "Error";
}

}  // namespace

Simulation::Simulation(api::Vocabulary& words, plugin::Services& services, Cluster& cluster, AttemptSink& sink,
                       const SimulationOptions& options)
    : cluster_(cluster),
      api_(cluster),
      sink_(sink),
      options_(options),
      clock_(options.start_unix_ns),
      engine_(words, services, clock_, executor_, cluster, this, WithoutFlush(options.engine)) {
  cluster_.Attach(&engine_);
  services.api = &api_;
}

Simulation::~Simulation() { cluster_.Attach(nullptr); }

void Simulation::SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles) {
  engine_.SetProfiles(std::move(profiles));
}

base::Result<void> Simulation::Run() {
  while (true) {
    bool worked = engine_.Step();
    worked = executor_.RunPending() || worked;
    worked = Settle() || worked;
    Tell();
    if (worked && options_.check_consistency) {
      const std::vector<std::string> wrong = engine_.CheckConsistency();
      if (!wrong.empty())
        return base::Fail("consistency check after attempt " + std::to_string(attempts_) + ": " + wrong.front());
    }
    if (worked && !GoesInCircles()) continue;
    if (worked) break;
    const auto timer = engine_.NextTimer();
    if (!timer || *timer - clock_.MonoNs() > kForEver) break;
    const bool for_task = engine_.NextTask() == timer;
    if (for_task && !MayWaitForTasks() && !CanProgress()) break;
    const bool patient = engine_.attempts_in_flight() > 0 || TaskToCome();  // held by Permit
    if (!for_task && !patient && !CanProgress()) break;
    clock_.AdvanceTo(*timer);
  }
  ReportWaiting();
  return {};
}

// Plugins' requests are answered, their tasks run, and what follows from that is done, before the next pod is tried:
// what happens must not depend on how many steps a plugin makes of it.
bool Simulation::Settle() {
  constexpr int kMostRounds = 10'000;  // a plugin that goes on without end must not keep everybody waiting
  bool worked = false;
  engine_.set_popping(false);
  for (int round = 0; round < kMostRounds; ++round) {
    const uint64_t posted = engine_.prompt_tasks();
    if (!api_.Reply() && posted == settled_tasks_) break;
    settled_tasks_ = posted;
    engine_.Step();
    executor_.RunPending();
    worked = true;
  }
  engine_.set_popping(true);
  return worked;
}

// Pods deleted since the last attempt are victims of the one that failed.
void Simulation::Tell() {
  std::vector<std::string> deleted = api_.TakeDeletedPods();
  for (auto entry = untold_.rbegin(); entry != untold_.rend() && !deleted.empty(); ++entry) {
    if (entry->result != "Scheduled") entry->victims = std::exchange(deleted, {});
  }
  for (const AttemptEntry& entry : untold_) sink_.Add(entry);
  untold_.clear();
}

// Time alone would make a plugin that posts one task after the other run for ever. It goes on for as long as something
// comes of it, and some time longer; more so while pods are on their way to their nodes.
bool Simulation::MayWaitForTasks() {
  constexpr int64_t kHour = 3600 * base::kSecond;
  const size_t in_flight = engine_.attempts_in_flight();
  if (last_change_.version != cluster_.version() || last_change_.in_flight != in_flight || last_change_.tasks == 0) {
    last_change_ = {cluster_.version(), in_flight, clock_.MonoNs(), engine_.tasks_run() + 1};
  }
  const int64_t waited = *engine_.NextTask() - last_change_.at;
  const uint64_t ran = engine_.tasks_run() + 1 - last_change_.tasks;
  return in_flight > 0 ? waited <= 24 * kHour && ran <= 100'000 : waited <= kHour && ran <= 1000;
}

// A pod that its own plugin wakes time and again, as by what is undone when it has waited in Permit for too long, would
// be tried for ever. Others, or a task that is still to come, may need some more of its rounds.
bool Simulation::GoesInCircles() {
  const int most = std::exchange(most_failures_, 0);
  const bool circling = most >= kMostAttempts && engine_.attempts_in_flight() == 0 && !CanProgress();
  // What was posted in a step is known after the next one.
  const bool was_circling = std::exchange(circling_, circling);
  return most >= 100 * kMostAttempts || (was_circling && !TaskToCome());
}

bool Simulation::TaskToCome() { return engine_.NextTask() && MayWaitForTasks(); }

// Is there a pod for which time alone may change something? One that failed by an error in a cluster that has not
// changed since would fail in the same way for ever.
bool Simulation::CanProgress() {
  for (const queue::QueuedPod* pod : engine_.queue().Pending().pods) {
    const queue::Place place = pod->place();
    const bool after_error = place == queue::Place::kErrorBackoff;
    if (place != queue::Place::kActive && place != queue::Place::kBackoff && !after_error) continue;
    const auto it = failed_.find(pod->key());
    if (it == failed_.end() || it->second.version != cluster_.version()) return true;
    if (!after_error && it->second.attempts < kMostAttempts) return true;
  }
  return false;
}

void Simulation::ReportWaiting() {
  for (const queue::QueuedPod* pod : engine_.queue().Pending().pods) {
    if (!pod->gated()) continue;
    std::string& told = told_gated_[pod->key()];
    if (told == pod->gating_message && !told.empty()) continue;
    told = pod->gating_message;
    AttemptEntry entry;
    entry.pod = pod->key();
    entry.profile = cluster_.words().ids.Text(pod->profile());
    entry.result = "Gated";
    entry.generation = engine_.profiles().generation;
    entry.message = told;
    sink_.Add(entry);
  }
  for (const engine::Engine::InFlight& held : engine_.AttemptsInFlight()) {
    if (!told_unended_.insert(held.pod).second) continue;
    AttemptEntry entry;
    entry.pod = held.pod;
    entry.profile = held.profile;
    entry.result = "Error";
    entry.generation = engine_.profiles().generation;
    entry.message = "its binding to " + held.node + " never ended: a PreBind or Bind plugin keeps the operation";
    sink_.Add(entry);
  }
  for (const api::PodRef& pod : cluster_.PendingPods()) {
    if (engine_.profiles().Find(pod->abi.scheduler_name) != nullptr || !told_unserved_.insert(pod->key()).second)
      continue;
    AttemptEntry entry;
    entry.pod = pod->key();
    entry.profile = cluster_.words().ids.Text(pod->abi.scheduler_name);
    entry.result = "Unserved";
    entry.generation = engine_.profiles().generation;
    entry.message = "no profile has schedulerName \"" + entry.profile + "\"";
    sink_.Add(entry);
  }
}

cycle::RecordNodes Simulation::RecordFor(const api::Pod& pod) {
  sink_.Trying(pod);
  return pod.key() == options_.explain_pod ? cycle::RecordNodes::kAll : options_.record;
}

void Simulation::OnAttempt(const engine::AttemptReport& report) {
  ++attempts_;
  const cycle::CycleResult& result = report.result;
  AttemptEntry entry;
  entry.pod = report.pod.key();
  entry.profile = report.profile.scheduler_name();
  entry.result = ResultName(report);
  entry.generation = report.generation;
  entry.nodes = result.nodes;
  if (report.bound) {
    entry.node = result.node_name;
    entry.ties = result.ties;
  } else {
    entry.message = result.message;
    if (result.nominating.mode == queue::NominatingMode::kOverride) {
      entry.nominated_node = cluster_.words().ids.Text(result.nominating.node);
    }
    Failures& failed = failed_[entry.pod];
    failed = {cluster_.version(), failed.version == cluster_.version() ? failed.attempts + 1 : 1};
    most_failures_ = std::max(most_failures_, failed.attempts);
  }
  told_gated_.erase(entry.pod);
  untold_.push_back(std::move(entry));
}

}  // namespace berth::simulate
