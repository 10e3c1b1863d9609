#include "cmd/berth-scheduler/scheduler.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>

#include "client/credentials/rotation.h"
#include "client/http/rest_client.h"
#include "cluster/daemon/daemon.h"
#include "cluster/daemon/telemetry.h"
#include "cmd/berth-scheduler/admin.h"
#include "cmd/berth-scheduler/canary_setup.h"
#include "cmd/berth-scheduler/crash_recovery.h"
#include "cmd/berth-scheduler/swapping.h"
#include "config/configuration/print.h"
#include "config/options/option_overlay.h"
#include "os/machine/cpus.h"
#include "policy/assembly/config_files.h"
#include "policy/assembly/policy.h"
#include "reload/announcer/swap_event.h"
#include "reload/coordinator/field_table.h"
#include "reload/watch/mount_points.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/cluster_services.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

std::string Hostname() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
}

int Failed(const std::string& why) {
  log::Error("command failed", {{"err", why}});
  return 1;
}

// Where libraries are staged when memfds may not be executed: a place of our own in --state-dir, which others may write
// to. "" without --state-dir.
base::Result<std::string> StagingDirectory(const std::string& state_dir) {
  if (state_dir.empty()) return std::string();
  const std::filesystem::path directory = std::filesystem::path(state_dir) / "plugins";
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) std::filesystem::permissions(directory, std::filesystem::perms::owner_all, error);
  if (error) return base::Fail("--state-dir: " + directory.string() + ": " + error.message());
  return directory.string();
}

base::Result<assembly::PolicyOptions> PolicyOptionsOf(const options::SchedulerOptions& options,
                                                      const config::FeatureGates& gates) {
  const auto staging = StagingDirectory(options.state_dir);
  if (!staging) return tl::unexpected(staging.error());
  return assembly::PolicyOptions{options.plugin_dirs, gates, *staging, [options](config::Configuration& configuration) {
                                   options::ApplyTo(options, configuration);
                                 }};
}

// The configuration and its libraries, or nullptr after every mistake has been reported.
std::unique_ptr<assembly::Policy> ReadPolicy(const options::SchedulerOptions& options,
                                             const assembly::PolicyOptions& policy_options, api::InternTables& intern) {
  const auto sources = assembly::ReadSources(options.config, options.berth_config);
  if (!sources) {
    Failed(sources.error().message);
    return nullptr;
  }
  // Plugins judge their args with services of their own: those of the engine come later.
  cache::Cache no_cluster(intern);
  plugin::Services services(intern);
  framework::AddClusterServices(services, no_cluster);
  auto policy = std::make_unique<assembly::Policy>(assembly::LoadPolicy(*sources, policy_options, services));
  for (const fields::Issue& issue : policy->config.warnings) log::Warning(issue.Text());
  for (const fields::Issue& issue : policy->config.errors) std::cerr << issue.Text() << "\n";
  if (policy->ok()) return policy;
  const size_t n = policy->config.errors.size();
  Failed("the configuration has " + std::to_string(n) + (n == 1 ? " error" : " errors"));
  return nullptr;
}

struct Connections {
  std::unique_ptr<http::RestClient> api, events;
  std::unique_ptr<credentials::Rotation> rotation;  // uses both
};

base::Result<Connections> Connect(const options::SchedulerOptions& options,
                                  const config::Configuration& configuration) {
  constexpr const char* kUserAgent = "berth-scheduler/" BERTH_VERSION;
  Connections connections;
  connections.rotation = std::make_unique<credentials::Rotation>(
      credentials::Target{configuration.client_connection.kubeconfig, options.master},
      credentials::EnvironmentOfProcess());
  auto client = connections.rotation->Load();
  if (!client) return tl::unexpected(client.error());
  client->user_agent = kUserAgent;
  // Events have a client of their own, as upstream, so that they never stand in a binding's way.
  for (std::unique_ptr<http::RestClient>* transport : {&connections.api, &connections.events}) {
    auto made = http::MakeRestClient(*client);
    if (!made) return tl::unexpected(made.error());
    *transport = std::move(*made);
  }
  connections.rotation->Start([api = connections.api.get(),
                               events = connections.events.get()](http::ClientOptions changed) -> base::Result<void> {
    changed.user_agent = kUserAgent;
    if (auto renewed = api->Renew(changed); !renewed) return renewed;
    return events->Renew(std::move(changed));
  });
  return connections;
}

// The longest step that comes to its end: one attempt may wait for every extender's filter, prioritize and preempt, and
// a plugin that does not return is the watchdog's affair first.
std::chrono::nanoseconds LongestStep(const config::Configuration& configuration,
                                     const config::BerthConfiguration& berth) {
  std::chrono::nanoseconds longest = berth.faults.hang_after;
  for (const config::Extender& extender : configuration.extenders) {
    constexpr std::chrono::nanoseconds kMost = std::chrono::hours(24);
    longest += 3 * (extender.http_timeout.count() > 0 ? std::min(extender.http_timeout, kMost) : kMost);
  }
  return longest;
}

daemon::DaemonOptions DaemonOptionsOf(const options::SchedulerOptions& options, const config::FeatureGates& gates,
                                      const config::Configuration& configuration,
                                      const config::BerthConfiguration& berth, daemon::Telemetry& telemetry) {
  const uint32_t cpus = os::CgroupCpus();
  daemon::DaemonOptions out;
  out.engine.seed = options.seed == 0 ? std::random_device()() : options.seed;
  out.engine.workers = cpus - 1;
  out.engine.parallelism = static_cast<uint32_t>(configuration.parallelism);
  out.engine.queue_observer = &telemetry;
  out.engine.queue.pod_initial_backoff_ns = configuration.pod_initial_backoff_seconds * base::kSecond;
  out.engine.queue.pod_max_backoff_ns = configuration.pod_max_backoff_seconds * base::kSecond;
  out.engine.queue.pod_max_in_unschedulable_pods_ns = options.pod_max_in_unschedulable_pods_duration.count();
  out.engine.queue.pop_from_backoff_q = gates.Enabled("SchedulerPopFromBackoffQ");
  out.requests.qps = configuration.client_connection.qps;
  out.requests.burst = configuration.client_connection.burst;
  out.binding_threads = cpus;
  out.hostname = Hostname();
  out.step_timeout_ns += LongestStep(configuration, berth).count();
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

void TellServed(const config::Configuration& configuration) {
  std::vector<std::string> names;
  for (const config::Profile& profile : configuration.profiles) names.push_back(profile.scheduler_name);
  log::Info("Serving pods of these schedulerNames", {{"schedulerNames", names}});
  if (std::find(names.begin(), names.end(), "default-scheduler") == names.end()) {
    log::Warning(
        "No profile is named default-scheduler: pods whose spec does not name one of these schedulers are left to "
        "another scheduler");
  }
  if (configuration.leader_election.leader_elect) {
    log::Warning("leaderElect is true, but leader election is not there yet: run one replica only");
  }
}

int WriteConfiguration(const std::string& path, const config::Configuration& configuration) {
  std::ofstream file(path, std::ios::binary);
  file << config::PrintV1(configuration);
  file.flush();
  if (!file) return Failed("open " + path + ": it cannot be written");
  log::Info("Wrote configuration", {{"file", path}});
  return 0;
}

}  // namespace

int RunScheduler(const options::SchedulerOptions& options, const config::FeatureGates& gates,
                 daemon::Signals& signals) {
  api::InternTables intern;
  auto policy_options = PolicyOptionsOf(options, gates);
  if (!policy_options) return Failed(policy_options.error().message);
  const auto recovery = Recovery::Start(options);
  if (!recovery) return Failed(recovery.error().message);
  (*recovery)->Guard(*policy_options);
  reload::CoordinatorOptions swapping_options{options.config, options.berth_config, (*recovery)->quarantine_path(),
                                              *policy_options};
  swapping_options.verbosity = log::Verbosity();
  const reload::Fingerprint seen = reload::Fingerprinter().TakeNow(reload::Coordinator::PathsOf(swapping_options));
  auto policy = ReadPolicy(options, *policy_options, intern);
  if (policy == nullptr) return 1;
  log::WriteInBackground();  // standard error that stalls must hold up no call; before, mistakes are reported in order
  const config::Configuration configuration = policy->config.scheduler;
  auto connections = Connect(options, configuration);
  if (!connections) return Failed(connections.error().message);

  metrics::Registry registry;
  metrics::SchedulerMetrics metrics(registry);
  daemon::Telemetry telemetry(metrics, intern);
  FaultReactions fault_reactions(metrics, **recovery);
  daemon::DaemonOptions daemon_options =
      DaemonOptionsOf(options, gates, configuration, policy->config.berth, telemetry);
  daemon_options.engine.fault_observer = &fault_reactions;
  daemon::Daemon daemon(intern, *connections->api, *connections->events, &telemetry, daemon_options);
  Admin admin(daemon, registry, configuration);
  if (auto listening = admin.Listen(options.admin_address); !listening) return Failed(listening.error().message);
  AddCanary(swapping_options, options, configuration, daemon.engine());
  Swapping swapping(daemon, admin, registry, std::move(swapping_options), announcer::OwnObject(configuration));
  auto profiles = assembly::BuildProfiles(*policy, daemon.services());
  if (!profiles) return Failed(profiles.error().message);
  log::V(2, "Using component config", {{"config", "\n" + config::PrintV1(configuration)}});
  (*profiles)->settings = reload::SettingsOf(policy->config, log::Verbosity());
  auto first = swapping.Wrap(std::move(*profiles));
  daemon.SetProfiles(first);
  admin.Show(*first, configuration);
  daemon.set_on_pause([&] { telemetry.Measure(daemon.engine(), daemon.dropped_events()); });
  if (!options.write_config_to.empty()) return WriteConfiguration(options.write_config_to, configuration);

  log::Info("Starting Kubernetes Scheduler", {{"version", "Berth v" BERTH_VERSION " for Kubernetes v1.36.3"}});
  TellServed(configuration);
  if (const auto mounts = reload::ReadMountInfo()) {
    for (const std::string& warning : reload::MountPointWarnings(seen, reload::ParseMountPoints(*mounts)))
      log::Warning(warning);
  }
  if (auto started = swapping.Start(std::move(policy), std::move(first), seen); !started)
    return Failed(started.error().message);
  // After swapping.Start: SIGHUP calls Poke. Signals that came before are still pending.
  signals.Start([&] { daemon.RequestEnd(); }, [&] { daemon.RequestDump(); }, [&] { swapping.Poke(); });
  (*recovery)->Watch(daemon, [&swapping] { swapping.Poke(); });
  daemon.Run();
  (*recovery)->StopWatching();
  signals.Stop();
  swapping.Stop();
  if (!configuration.leader_election.leader_elect) return Failed("finished without leader elect");
  log::Info("Requested to terminate, exiting");
  return 0;
}

}  // namespace berth
