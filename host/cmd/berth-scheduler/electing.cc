#include "cmd/berth-scheduler/electing.h"

#include <utility>

#include "base/kubernetes_version.h"
#include "base/thread_name.h"
#include "cluster/election/identity.h"
#include "telemetry/log/log.h"

namespace berth {

namespace {

election::ElectionOptions ElectionOptionsOf(const ElectionInput& input) {
  const config::LeaderElection& configuration = input.configuration.leader_election;
  election::ElectionOptions options;
  options.ns = configuration.resource_namespace;
  options.name = configuration.resource_name;
  options.identity = input.identity;
  options.lease_duration = configuration.lease_duration;
  options.renew_deadline = configuration.renew_deadline;
  options.retry_period = configuration.retry_period;
  options.coordinated = input.gates.Enabled("CoordinatedLeaderElection");
  return options;
}

}  // namespace

Electing::Options ElectingOptionsOf(const ElectionInput& input) {
  return {.election = ElectionOptionsOf(input),
          .candidate = {.name = input.identity,
                        .binary_version = base::kKubernetesVersion,
                        .emulation_version = base::kKubernetesEmulationVersion},
          .stand_by = input.berth.leader_election.on_loss == config::OnLoss::kStandby,
          .source_name = input.configuration.profiles.front().scheduler_name,
          .seed = input.seed};
}

int64_t FenceMarginNs(const config::LeaderElection& configuration) {
  return (configuration.lease_duration - configuration.renew_deadline).count() / 2;
}

base::Result<std::unique_ptr<Electing>> Electing::Make(Options options, http::Transport& transport,
                                                       daemon::Daemon& daemon, election::FenceState& fence,
                                                       const metrics::LeaderElectionMetrics& metrics) {
  if (const auto valid = election::CheckOptions(options.election); !valid) {
    return base::Fail("couldn't create leader elector: " + valid.error().message);
  }
  return std::unique_ptr<Electing>(new Electing(std::move(options), transport, daemon, fence, metrics));
}

Electing::Electing(Options options, http::Transport& transport, daemon::Daemon& daemon, election::FenceState& fence,
                   const metrics::LeaderElectionMetrics& metrics)
    : options_(std::move(options)),
      daemon_(daemon),
      elector_(options_.election, {.transport = transport,
                                   .clock = clock_,
                                   .fence = fence,
                                   .callbacks = *this,
                                   .metrics = metrics,
                                   .seed = options_.seed}),
      identity_of_next_(election::kIdentityVariable, options_.election.identity, fence.value()) {
  if (options_.election.coordinated) keeper_.emplace(options_.candidate, transport, clock_, options_.seed);
}

void Electing::Start() {
  if (started_.exchange(true)) return;
  log::V(1, "Leader election", {{"lock", options_.election.lock()}, {"identity", options_.election.identity}});
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  if (!keeper_) return;
  keeping_ = std::jthread([this](const std::stop_token& stop) {
    base::NameThread("lease-candidate");
    keeper_->Run(stop);
  });
}

void Electing::Run(const std::stop_token& stop) {
  base::NameThread("election");
  while (elector_.Run(stop) == election::EndReason::kLost && options_.stand_by) {
  }
}

void Electing::Stop() {
  started_ = true;
  for (std::jthread* thread : {&thread_, &keeping_}) {
    thread->request_stop();
    if (thread->joinable()) thread->join();
  }
}

void Electing::OnStartedLeading() { daemon_.leadership().Acquired(); }

// A successor takes a released Lease at once, and would not know of a binding that the API server has not answered.
bool Electing::OnStoppedLeading(election::EndReason reason) {
  daemon_.leadership().Lost();
  if (reason == election::EndReason::kLost) ReactToLoss();
  return daemon_.AwaitAnswers(options_.election.renew_deadline.count());
}

void Electing::ReactToLoss() {
  log::Error("Leaderelection lost");
  if (options_.stand_by) {
    log::Warning("This process became a follower", {{"lock", options_.election.lock()}});
    return;
  }
  lost_.store(true, std::memory_order_release);
  daemon_.RequestEnd();
}

void Electing::OnNewLeader(const std::string& identity) {
  if (!identity.empty()) log::V(1, "New leader", {{"lock", options_.election.lock()}, {"identity", identity}});
}

void Electing::OnEvent(election::LeaderEvent event) {
  writer::ObjectReference lease{
      std::move(event.ns),     std::move(event.name), std::move(event.uid), std::move(event.resource_version), "Lease",
      "coordination.k8s.io/v1"};
  daemon_.RecordEvent(writer::LeaderElectionEvent(std::move(lease), options_.source_name, std::move(event.message)));
}

}  // namespace berth
