#include "cmd/berth-controllers/run_controllers.h"

#include <memory>
#include <optional>
#include <random>
#include <utility>

#include "cluster/election/boot_clock.h"
#include "cluster/election/fence.h"
#include "cluster/election/participant.h"
#include "cluster/process/api_connections.h"
#include "cluster/process/request_telemetry.h"
#include "cmd/berth-controllers/controller_pages.h"
#include "config/options/metric_flags.h"
#include "controllers/reconcile/manager.h"
#include "os/machine/hostname.h"
#include "telemetry/log/log.h"
#include "telemetry/metrics/leader_election_metrics.h"
#include "telemetry/metrics/process_metrics.h"
#include "telemetry/metrics/request_metrics.h"
#include "telemetry/metrics/version_metrics.h"

namespace berth {
namespace {

// Connects the election with the controllers: only the leader writes.
class Leading final : public election::LeaderWork {
 public:
  explicit Leading(reconcile::Manager& manager) : manager_(manager) {}
  void BeginToLead() override { manager_.SetLeading(true); }
  void EndToLead() override { manager_.SetLeading(false); }
  bool AwaitAnswers(int64_t ns) override { return manager_.AwaitAnswers(ns); }
  void RequestEnd() override { manager_.RequestEnd(); }
  void RecordEvent(events::EventRecord record) override { manager_.RecordEvent(std::move(record)); }

 private:
  reconcile::Manager& manager_;
};

process::ConnectionOptions ConnectionOptionsOf(const ControllerOptions& options) {
  process::ConnectionOptions out{{options.kubeconfig, options.master}, "berth-controllers/" BERTH_VERSION};
  if (options.leader_election.leader_elect) out.renew_deadline = options.leader_election.renew_deadline;
  return out;
}

election::ParticipantOptions ElectionOptionsOf(const config::LeaderElection& flags, std::string identity,
                                               uint64_t seed) {
  election::ParticipantOptions options;
  options.election.ns = flags.resource_namespace;
  options.election.name = options.election.election_name = flags.resource_name;
  options.election.identity = std::move(identity);
  options.election.lease_duration = flags.lease_duration;
  options.election.renew_deadline = flags.renew_deadline;
  options.election.retry_period = flags.retry_period;
  options.stand_by = true;
  options.source_name = "berth-controllers";
  options.seed = seed;
  return options;
}

// The parts of the process, in the order in which they are made; they end in the opposite order.
class Controllers {
 public:
  Controllers(const ControllerOptions& options, const process::Start& start) : options_(options), start_(start) {}
  base::Result<void> Run();

 private:
  base::Result<void> Connect();
  void MakeManager();
  base::Result<void> MakeElection();
  base::Result<void> Serve();
  http::RequestObserver* Observe(const std::string& url);

  const ControllerOptions& options_;
  const process::Start& start_;
  const uint64_t seed_ = std::random_device()();
  metrics::Registry registry_{{options_.metrics.disabled_metrics, options::AllowedMetricLabels(options_.metrics)}};
  std::optional<metrics::RequestMetrics> request_metrics_;
  std::optional<process::RequestTelemetry> request_telemetry_;
  process::Connections connections_;
  election::FenceState fence_;
  std::optional<reconcile::Manager> manager_;
  std::optional<Leading> leading_;
  std::unique_ptr<election::Participant> participant_;  // null: there is no leader election
  std::optional<ControllerPages> pages_;
};

base::Result<void> Controllers::Run() {
  metrics::AddProcessMetrics(registry_);
  metrics::AddVersionMetrics(registry_, {});
  if (auto done = Connect(); !done) return done;
  MakeManager();
  if (auto done = MakeElection(); !done) return done;
  if (auto done = Serve(); !done) return done;
  log::Info("Starting the controllers of PodGroups and ElasticQuotas", {{"version", "Berth v" BERTH_VERSION}});
  start_.signals.Start([this] { manager_->RequestEnd(); }, [] {}, [] {});
  manager_->Run();
  start_.signals.Stop();
  log::Info("Requested to terminate, exiting");
  return {};
}

http::RequestObserver* Controllers::Observe(const std::string& url) {
  request_metrics_.emplace(registry_, process::HostOf(url));
  return &request_telemetry_.emplace(*request_metrics_);
}

base::Result<void> Controllers::Connect() {
  auto connections = process::Connect(
      ConnectionOptionsOf(options_), [this](const std::string& url) { return Observe(url); }, nullptr);
  if (!connections) return tl::unexpected(connections.error());
  connections_ = std::move(*connections);
  return {};
}

void Controllers::MakeManager() {
  reconcile::ManagerOptions options;
  options.workers = static_cast<size_t>(options_.workers);
  options.seed = seed_;
  options.hostname = os::Hostname();
  options.requests.qps = options_.qps;
  options.requests.burst = options_.burst;
  options.requests.observer = &*request_telemetry_;
  if (options_.leader_election.leader_elect) {
    const int64_t margin_ns =
        election::FenceMarginNs(options_.leader_election.lease_duration, options_.leader_election.renew_deadline);
    options.requests.may_write = [this, margin_ns] { return fence_.Holds(election::BootNs(), margin_ns); };
  }
  manager_.emplace(options, *connections_.api, registry_);
}

base::Result<void> Controllers::MakeElection() {
  leading_.emplace(*manager_);
  if (!options_.leader_election.leader_elect) {
    manager_->SetLeading(true);
    return {};
  }
  auto participant = election::Participant::Make(
      ElectionOptionsOf(options_.leader_election, start_.leader_identity, seed_), *connections_.election, *leading_,
      fence_, metrics::LeaderElectionMetrics(registry_, options_.leader_election.resource_name));
  if (!participant) return tl::unexpected(participant.error());
  participant_ = std::move(*participant);
  manager_->set_on_last_write([this] { participant_->Stop(); });  // releases the Lease for another replica
  return {};
}

base::Result<void> Controllers::Serve() {
  pages_.emplace(*manager_, participant_.get(), registry_);
  if (auto listening = pages_->Listen(options_); !listening) return listening;
  if (participant_) participant_->Start();
  return {};
}

}  // namespace

int RunControllers(const ControllerOptions& options, const process::Start& start) {
  Controllers controllers(options, start);
  const base::Result<void> ended = controllers.Run();
  if (ended) return 0;
  log::Error("command failed", {{"err", ended.error().message}});
  return 1;
}

}  // namespace berth
