#include "cmd/berth-scheduler/scheduler.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/kubernetes_version.h"
#include "cluster/daemon/daemon.h"
#include "cluster/explain/decision_sink.h"
#include "cluster/explain/explain_api.h"
#include "cluster/process/api_connections.h"
#include "cluster/secure_port/secure_port.h"
#include "cmd/berth-scheduler/admin.h"
#include "cmd/berth-scheduler/canary_setup.h"
#include "cmd/berth-scheduler/crash_recovery.h"
#include "cmd/berth-scheduler/daemon_options.h"
#include "cmd/berth-scheduler/debug_pages.h"
#include "cmd/berth-scheduler/electing.h"
#include "cmd/berth-scheduler/first_policy.h"
#include "cmd/berth-scheduler/measurements.h"
#include "cmd/berth-scheduler/swapping.h"
#include "cmd/berth-scheduler/tracing.h"
#include "config/configuration/print.h"
#include "os/machine/code_pages.h"
#include "policy/assembly/policy.h"
#include "reload/announcer/swap_event.h"
#include "reload/coordinator/field_table.h"
#include "reload/watch/mount_points.h"
#include "scheduler/explain/attempt_annotations.h"
#include "scheduler/explain/failure_details.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

constexpr const char* kUserAgent = "berth-scheduler/" BERTH_VERSION;

process::ConnectionOptions ConnectionOptionsOf(const options::SchedulerOptions& options,
                                               const config::Configuration& configuration) {
  process::ConnectionOptions out{{configuration.client_connection.kubeconfig, options.master}, kUserAgent};
  if (configuration.leader_election.leader_elect) out.renew_deadline = configuration.leader_election.renew_deadline;
  return out;
}

// Counts the faults of plugins, and keeps out libraries that fail too often.
class FaultReactions final : public plugin::FaultObserver {
 public:
  FaultReactions(metrics::SchedulerMetrics& metrics, Recovery& recovery) : metrics_(metrics), recovery_(recovery) {}
  void OnFault(const plugin::Instance& instance, const plugin::Fault& fault) override {
    metrics_.PluginFault(instance.name(), instance.profile(), fault.call);
  }
  void OnQuarantine(const plugin::Instance& instance) override { recovery_.QuarantineFailing(instance); }

 private:
  metrics::SchedulerMetrics& metrics_;
  Recovery& recovery_;
};

void LogServedNames(const config::Configuration& configuration) {
  std::vector<std::string> names;
  for (const config::Profile& profile : configuration.profiles) names.push_back(profile.scheduler_name);
  log::Info("Serving pods of these schedulerNames", {{"schedulerNames", names}});
  if (std::find(names.begin(), names.end(), "default-scheduler") == names.end()) {
    log::Warning(
        "No profile is named default-scheduler: pods whose spec does not name one of these schedulers are left to "
        "another scheduler");
  }
}

void LogMountWarnings(const reload::Fingerprint& seen) {
  const auto mounts = reload::ReadMountInfo();
  if (!mounts) return;
  for (const std::string& warning : reload::MountPointWarnings(seen, reload::ParseMountPoints(*mounts))) {
    log::Warning(warning);
  }
}

base::Result<void> WriteConfiguration(const std::string& path, const config::Configuration& configuration) {
  std::ofstream file(path, std::ios::binary);
  file << config::PrintV1(configuration);
  file.flush();
  if (!file) return base::Fail("open " + path + ": it cannot be written");
  log::Info("Wrote configuration", {{"file", path}});
  return {};
}

// The parts of the process, in the order in which they are made; they end in the opposite order. Each step needs the
// steps before it.
class Scheduler {
 public:
  Scheduler(const options::SchedulerOptions& options, const config::FeatureGates& gates, const process::Start& start)
      : options_(options), gates_(gates), start_(start) {}

  base::Result<int> Run();  // the exit code

 private:
  base::Result<void> ReadPolicy();
  base::Result<void> Connect();
  base::Result<void> MakeDaemon();
  base::Result<void> MakeElection(uint64_t seed);
  base::Result<void> Serve();
  base::Result<void> LogDecisions();
  base::Result<void> Publish();
  base::Result<void> Begin();
  void RequestEnd();
  void BeginElection();
  base::Result<int> End();

  const options::SchedulerOptions& options_;
  const config::FeatureGates& gates_;
  const process::Start& start_;

  api::InternTables intern_;
  std::unique_ptr<Recovery> recovery_;
  reload::CoordinatorOptions swapping_options_;
  reload::Fingerprint seen_;  // the files, before they were read
  std::unique_ptr<assembly::Policy> policy_;
  config::Configuration configuration_;
  config::BerthConfiguration berth_;
  std::optional<Measurements> measurements_;
  std::unique_ptr<Tracing> tracing_;  // may be null
  std::optional<process::Connections> connections_;
  std::optional<FaultReactions> fault_reactions_;
  explain::FailureDetails failure_details_;
  explain::AttemptAnnotations attempt_annotations_;
  election::FenceState fence_;
  std::optional<daemon::Daemon> daemon_;
  std::unique_ptr<explain::DecisionSink> decision_sink_;  // null: there is no decision log
  std::unique_ptr<Electing> electing_;                    // null: there is no leader election
  std::optional<Admin> admin_;
  std::unique_ptr<secure_port::SecurePort> secure_port_;  // may be null
  std::optional<Swapping> swapping_;
  std::shared_ptr<const framework::ProfileSet> first_;
};

base::Result<int> Scheduler::Run() {
  using Step = base::Result<void> (Scheduler::*)();
  for (const Step step :
       {&Scheduler::ReadPolicy, &Scheduler::Connect, &Scheduler::MakeDaemon, &Scheduler::Serve, &Scheduler::Publish}) {
    if (auto done = (this->*step)(); !done) return tl::unexpected(done.error());
  }
  if (!options_.write_config_to.empty()) {
    if (auto written = WriteConfiguration(options_.write_config_to, configuration_); !written) {
      return tl::unexpected(written.error());
    }
    return 0;
  }
  if (auto begun = Begin(); !begun) return tl::unexpected(begun.error());
  daemon_->Run();
  return End();
}

base::Result<void> Scheduler::ReadPolicy() {
  auto policy_options = PolicyOptionsOf(options_, gates_);
  if (!policy_options) return tl::unexpected(policy_options.error());
  auto recovery = Recovery::Start(options_);
  if (!recovery) return tl::unexpected(recovery.error());
  recovery_ = std::move(*recovery);
  recovery_->Guard(*policy_options);
  swapping_options_ = {options_.config, options_.berth_config, recovery_->quarantine_path(), *policy_options};
  swapping_options_.verbosity = log::Verbosity();
  seen_ = reload::Fingerprinter().TakeNow(reload::Coordinator::PathsOf(swapping_options_));
  auto policy = ReadFirstPolicy(options_, *policy_options, intern_);
  if (!policy) return tl::unexpected(policy.error());
  policy_ = std::move(*policy);
  configuration_ = policy_->config.scheduler;
  berth_ = policy_->config.berth;
  log::WriteInBackground();  // a stalled standard error must not delay calls; earlier, errors are reported in order
  return {};
}

base::Result<void> Scheduler::Connect() {
  measurements_.emplace(options_, gates_, intern_);
  auto tracing = Tracing::Make(berth_.tracing, measurements_->registry());
  if (!tracing) return tl::unexpected(tracing.error());
  tracing_ = std::move(*tracing);
  auto connections = process::Connect(
      ConnectionOptionsOf(options_, configuration_),
      [this](const std::string& url) {
        measurements_->WatchRequestsTo(url);
        return measurements_->requests();
      },
      TracerOf(tracing_));
  if (!connections) return tl::unexpected(connections.error());
  connections_ = std::move(*connections);
  return {};
}

base::Result<void> Scheduler::MakeDaemon() {
  fault_reactions_.emplace(measurements_->scheduler(), *recovery_);
  daemon::DaemonOptions options = DaemonOptionsOf({options_, gates_, configuration_, berth_}, fence_);
  options.engine.queue_observer = &measurements_->telemetry();
  options.engine.fault_observer = &*fault_reactions_;
  options.engine.plugin_metrics = &measurements_->plugins();
  options.engine.tracer = TracerOf(tracing_);
  if (berth_.decisions.detailed_events) options.engine.failure_notes = &failure_details_;
  if (berth_.decisions.annotations) options.engine.annotations = &attempt_annotations_;
  options.requests.observer = measurements_->requests();
  daemon_.emplace(intern_, *connections_->api, &measurements_->telemetry(), options);
  daemon_->set_on_pause([this] {
    measurements_->Measure(*daemon_);
    if (tracing_) tracing_->Measure();
  });
  if (options.leader_election) return MakeElection(options.engine.seed);
  return {};
}

base::Result<void> Scheduler::MakeElection(uint64_t seed) {
  auto electing = Electing::Make(ElectionOptionsOf({configuration_, berth_, gates_, start_.leader_identity, seed}),
                                 *connections_->election, *daemon_, fence_,
                                 metrics::LeaderElectionMetrics(measurements_->registry(), "kube-scheduler"));
  if (!electing) return tl::unexpected(electing.error());
  electing_ = std::move(*electing);
  return {};
}

base::Result<void> Scheduler::Serve() {
  admin_.emplace(AdminSources{*daemon_, *measurements_, configuration_, electing_.get()});
  AddDebugPages(*admin_, options_, gates_, configuration_);
  explain::AddExplainRoutes(admin_->routes(), {daemon_->engine(), intern_, admin_->ending()});
  if (auto logging = LogDecisions(); !logging) return logging;
  if (auto listening = admin_->Listen(options_.admin_address); !listening) return tl::unexpected(listening.error());
  auto serving =
      secure_port::SecurePort::Start({options_.serving, options_.authentication, options_.authorization, kUserAgent},
                                     admin_->Pages(), {measurements_->access(), TracerOf(tracing_)});
  if (!serving) return tl::unexpected(serving.error());
  secure_port_ = std::move(*serving);
  return {};
}

base::Result<void> Scheduler::LogDecisions() {
  if (options_.decision_log.empty()) return {};
  auto sink = explain::DecisionSink::Start(daemon_->engine(), {.path = options_.decision_log});
  if (!sink) return base::Fail("--decision-log: " + sink.error().message);
  decision_sink_ = std::move(*sink);
  return {};
}

base::Result<void> Scheduler::Publish() {
  AddCanary(swapping_options_, options_, configuration_, daemon_->engine());
  swapping_.emplace(*daemon_, *admin_, measurements_->registry(), std::move(swapping_options_),
                    announcer::OwnObject(configuration_));
  auto profiles = assembly::BuildProfiles(*policy_, daemon_->services());
  if (!profiles) return tl::unexpected(profiles.error());
  if (log::LogEnabled(2)) log::V(2, "Using component config", {{"config", "\n" + config::PrintV1(configuration_)}});
  (*profiles)->settings = reload::SettingsOf(policy_->config, log::Verbosity());
  first_ = swapping_->Wrap(std::move(*profiles));
  daemon_->SetProfiles(first_);
  admin_->Show(*first_, configuration_);
  return {};
}

base::Result<void> Scheduler::Begin() {
  log::Info("Starting Kubernetes Scheduler",
            {{"version", std::string("Berth v" BERTH_VERSION " for Kubernetes ") + base::kKubernetesGitVersion}});
  LogServedNames(configuration_);
  LogMountWarnings(seen_);
  swapping_->Start(std::move(policy_), std::move(first_), seen_);
  BeginElection();
  daemon_->set_on_synced([this] {
    os::ReleaseCodePages();  // most of the code that ran until now does not run again
    if (electing_) electing_->Start();
  });
  // After swapping_->Start: SIGHUP calls Poke. Signals that came before are still pending.
  start_.signals.Start([this] { RequestEnd(); }, [this] { daemon_->RequestDump(); }, [this] { swapping_->Poke(); });
  recovery_->Watch(*daemon_, [this] { swapping_->Poke(); });
  return {};
}

// Answers that take long end at once: the daemon may still have bindings to finish.
void Scheduler::RequestEnd() {
  admin_->RequestEnd();
  daemon_->RequestEnd();
}

void Scheduler::BeginElection() {
  if (!electing_) return;
  daemon_->set_on_last_write([this] { electing_->Stop(); });  // releases the Lease: another replica continues at once
  if (configuration_.delay_cache_until_active) electing_->Start();
}

base::Result<int> Scheduler::End() {
  recovery_->StopWatching();
  start_.signals.Stop();
  swapping_->Stop();
  if (!electing_) return base::Fail("finished without leader elect");
  if (electing_->lost()) return 1;
  log::Info("Requested to terminate, exiting");
  return 0;
}

}  // namespace

int RunScheduler(const options::SchedulerOptions& options, const config::FeatureGates& gates,
                 const process::Start& start) {
  const base::Result<int> code = Scheduler(options, gates, start).Run();
  if (code) return *code;
  log::Error("command failed", {{"err", code.error().message}});
  return 1;
}

}  // namespace berth
