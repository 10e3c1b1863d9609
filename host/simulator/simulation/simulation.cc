#include "simulator/simulation/simulation.h"

#include <utility>

namespace berth::simulation {
namespace {

// Longer than any simulation. The flush of unschedulable pods comes only after this time, because it would try pods
// again in an unchanged cluster.
constexpr int64_t kForEver = 365 * 24 * 3600 * base::kSecond;
constexpr int kMostAttempts = 100;  // of a pod in a cluster that does not change

engine::EngineOptions EngineOptionsFor(engine::EngineOptions options, plugin::ApiPort& api) {
  options.api = &api;
  options.queue.pod_max_in_unschedulable_pods_ns = 10 * kForEver;
  return options;
}

const char* ResultName(const engine::AttemptReport& report) {
  if (report.bound) return "Scheduled";
  return report.result.status.rejected() ? "Unschedulable" : "Error";
}

}  // namespace

Simulation::Simulation(api::InternTables& intern, Cluster& cluster, results::AttemptSink& sink,
                       const SimulationOptions& options)
    : cluster_(cluster),
      api_(cluster),
      sink_(sink),
      options_(options),
      clock_(options.start_unix_ns),
      engine_(intern, clock_, executor_, cluster, this, EngineOptionsFor(options.engine, api_)) {
  cluster_.Attach(&engine_, &clock_);
}

Simulation::~Simulation() { cluster_.Attach(nullptr); }

void Simulation::SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles) {
  engine_.SetProfiles(std::move(profiles));
}

base::Result<void> Simulation::Run() {
  Settle();  // plugins get the answers to the requests of their start before they see the first pod
  while (true) {
    bool worked = engine_.Step();
    worked = executor_.RunPending() || worked;
    worked = Settle() || worked;
    ReportAttempts();
    if (worked && IsCheckDue()) {
      const std::vector<std::string> wrong = engine_.CheckConsistency();
      if (!wrong.empty())
        return base::Fail("consistency check after attempt " + std::to_string(attempts_) + ": " + wrong.front());
    }
    if (worked && !RetriesWithoutProgress()) continue;
    if (worked) break;
    const auto timer = engine_.NextTimer();
    if (!timer || *timer - clock_.MonoNs() > kForEver) break;
    const bool for_task = engine_.NextTask() == timer;
    if (for_task && !MayWaitForTasks() && !CanProgress()) break;
    const bool turn = engine_.attempts_in_flight() > 0 || TaskToCome();  // held by Permit
    if (!for_task && !turn && !CanProgress()) break;
    clock_.AdvanceTo(*timer);
  }
  ReportWaiting();
  return {};
}

// A check starts a second instance of each plugin, so tasks that repeat in an unchanged cluster are checked only at
// first.
bool Simulation::IsCheckDue() {
  constexpr int kMostChecks = 20;  // without a change
  if (!options_.check_consistency) return false;
  const auto now = std::make_pair(cluster_.version(), attempts_);
  if (checked_ != now) {
    checked_ = now;
    checks_ = 0;
  }
  return checks_++ < kMostChecks;
}

// Answers the plugins' requests, runs their tasks, and processes the consequences before the next pod is tried. The
// result then does not depend on the number of steps that a plugin takes.
bool Simulation::Settle() {
  constexpr int kMostRounds = 10'000;  // a limit for plugins that never stop
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

// Pods deleted since the last attempt are the victims of that attempt, which failed.
void Simulation::ReportAttempts() {
  std::vector<std::string> deleted = api_.TakeDeletedPods();
  for (auto entry = unreported_.rbegin(); entry != unreported_.rend() && !deleted.empty(); ++entry) {
    if (entry->result != "Scheduled") entry->victims = std::exchange(deleted, {});
  }
  for (const results::AttemptEntry& entry : unreported_) sink_.Add(entry);
  unreported_.clear();
}

// A plugin that posts one task after the other would run forever. It may continue as long as its tasks change
// something, and for some time after that; longer while pods are being bound.
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

// A plugin may wake its own pod again and again, for example by undoing something after the timeout of Permit. The
// limit leaves room for other pods and pending tasks, which may need more rounds.
bool Simulation::RetriesWithoutProgress() {
  const int most = std::exchange(most_failures_, 0);
  const bool circling = most >= kMostAttempts && engine_.attempts_in_flight() == 0 && !CanProgress();
  // The tasks posted in a step are known after the next one.
  const bool was_circling = std::exchange(circling_, circling);
  return most >= 100 * kMostAttempts || (was_circling && !TaskToCome());
}

bool Simulation::TaskToCome() { return engine_.NextTask() && MayWaitForTasks(); }

// Whether time alone may change the result for any pod. A pod that failed with an error in an unchanged cluster would
// fail again.
bool Simulation::CanProgress() {
  for (const queue::QueuedPod* pod : engine_.queue().Pending().pods) {
    const queue::Place place = pod->place();
    const bool after_error = place == queue::Place::kErrorBackoff;
    if (place != queue::Place::kActive && place != queue::Place::kBackoff && !after_error) continue;
    const auto it = failed_.find(std::string(pod->key()));
    if (it == failed_.end() || it->second.version != cluster_.version()) return true;
    if (!after_error && it->second.attempts < kMostAttempts) return true;
  }
  return false;
}

void Simulation::ReportWaiting() {
  for (const queue::QueuedPod* pod : engine_.queue().Pending().pods) {
    if (!pod->gated()) continue;
    std::string& reported = reported_gated_[std::string(pod->key())];
    if (reported == pod->gating_message && !reported.empty()) continue;
    reported = pod->gating_message;
    results::AttemptEntry entry;
    entry.pod = pod->key();
    entry.profile = cluster_.intern().ids.Text(pod->profile());
    entry.result = "Gated";
    entry.generation = engine_.profiles().generation;
    entry.message = reported;
    sink_.Add(entry);
  }
  for (const engine::Engine::InFlight& held : engine_.AttemptsInFlight()) {
    if (!reported_unended_.insert(held.pod).second) continue;
    results::AttemptEntry entry;
    entry.pod = held.pod;
    entry.profile = held.profile;
    entry.result = "Error";
    entry.generation = engine_.profiles().generation;
    entry.message = "its binding to " + held.node + " never ended: a PreBind or Bind plugin keeps the operation";
    sink_.Add(entry);
  }
  for (const api::PodRef& pod : cluster_.PendingPods()) {
    if (engine_.profiles().Find(pod->abi.scheduler_name) != nullptr || !reported_unserved_.emplace(pod->key()).second)
      continue;
    results::AttemptEntry entry;
    entry.pod = pod->key();
    entry.profile = cluster_.intern().ids.Text(pod->abi.scheduler_name);
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
  results::AttemptEntry entry;
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
      entry.nominated_node = cluster_.intern().ids.Text(result.nominating.node);
    }
    Failures& failed = failed_[entry.pod];
    failed = {cluster_.version(), failed.version == cluster_.version() ? failed.attempts + 1 : 1};
    most_failures_ = std::max(most_failures_, failed.attempts);
  }
  reported_gated_.erase(entry.pod);
  unreported_.push_back(std::move(entry));
  if (options_.decision_log != nullptr) options_.decision_log->Add(engine_, cluster_.intern(), report.pod);
}

}  // namespace berth::simulation
