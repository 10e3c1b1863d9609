#include "cmd/berth-scheduler/electing.h"

#include <utility>

#include "base/kubernetes_version.h"
#include "cluster/election/identity.h"
#include "cmd/berth-scheduler/client_encodings.h"

namespace berth {
namespace {

election::ElectionOptions LeaseOptionsOf(const ElectionInput& input) {
  const config::LeaderElection& configuration = input.configuration.leader_election;
  election::ElectionOptions options;
  options.ns = configuration.resource_namespace;
  options.name = configuration.resource_name;
  options.identity = input.identity;
  options.lease_duration = configuration.lease_duration;
  options.renew_deadline = configuration.renew_deadline;
  options.retry_period = configuration.retry_period;
  options.encodings = EncodingsOf(input.configuration.client_connection);
  options.coordinated = input.gates.Enabled("CoordinatedLeaderElection");
  return options;
}

}  // namespace

election::ParticipantOptions ElectionOptionsOf(const ElectionInput& input) {
  return {.election = LeaseOptionsOf(input),
          .candidate = {.name = input.identity,
                        .binary_version = base::kKubernetesVersion,
                        .emulation_version = base::kKubernetesEmulationVersion},
          .stand_by = input.berth.leader_election.on_loss == config::OnLoss::kStandby,
          .source_name = input.configuration.profiles.front().scheduler_name,
          .seed = input.seed};
}

base::Result<std::unique_ptr<Electing>> Electing::Make(const election::ParticipantOptions& options,
                                                       http::Transport& transport, daemon::Daemon& daemon,
                                                       election::FenceState& fence,
                                                       const metrics::LeaderElectionMetrics& metrics) {
  std::unique_ptr<Electing> electing(new Electing(daemon, options.election.identity, fence));
  auto participant = election::Participant::Make(options, transport, *electing, fence, metrics);
  if (!participant) return tl::unexpected(participant.error());
  electing->participant_ = std::move(*participant);
  return electing;
}

Electing::Electing(daemon::Daemon& daemon, const std::string& identity, const election::FenceState& fence)
    : daemon_(daemon), identity_of_next_(election::kIdentityVariable, identity, fence.value()) {}

}  // namespace berth
