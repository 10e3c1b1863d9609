#include "simulate/simulation.h"

namespace berth::simulate {
namespace {

// Nobody waits this long for a simulation: the flush of unschedulable pods is put beyond it, since trying a pod again
// in an unchanged cluster proves nothing.
constexpr int64_t kForEver = 365 * 24 * 3600 * base::kSecond;

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
      sink_(sink),
      options_(options),
      clock_(options.start_unix_ns),
      engine_(words, services, clock_, executor_, cluster, this, WithoutFlush(options.engine)) {
  cluster_.Attach(&engine_);
}

Simulation::~Simulation() { cluster_.Attach(nullptr); }

void Simulation::SetProfiles(std::shared_ptr<const framework::ProfileSet> profiles) {
  engine_.SetProfiles(std::move(profiles));
}

base::Result<void> Simulation::Run() {
  while (true) {
    bool worked = engine_.Step();
    worked = executor_.RunPending() || worked;
    if (worked && options_.check_consistency) {
      const std::vector<std::string> wrong = engine_.CheckConsistency();
      if (!wrong.empty())
        return base::Fail("consistency check after attempt " + std::to_string(attempts_) + ": " + wrong.front());
    }
    if (worked) continue;
    const auto timer = engine_.NextTimer();
    if (!timer || *timer - clock_.MonoNs() > kForEver || !CanProgress()) break;
    clock_.AdvanceTo(*timer);
  }
  ReportWaiting();
  return {};
}

// Is there a pod for which time alone may change something? One that failed by an error in a cluster that has not
// changed since would fail in the same way for ever.
bool Simulation::CanProgress() {
  if (engine_.attempts_in_flight() > 0) return true;  // held by Permit
  for (const queue::QueuedPod* pod : engine_.queue().Pending().pods) {
    if (pod->place() == queue::Place::kBackoff || pod->place() == queue::Place::kActive) return true;
    if (pod->place() != queue::Place::kErrorBackoff) continue;
    auto it = failed_at_.find(pod->key());
    if (it == failed_at_.end() || it->second != cluster_.version()) return true;
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
    failed_at_[entry.pod] = cluster_.version();
  }
  told_gated_.erase(entry.pod);
  sink_.Add(entry);
}

}  // namespace berth::simulate
