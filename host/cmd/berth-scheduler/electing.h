// Takes part in the election of a leader, and connects the election with the daemon: only the leader schedules.
//
// Thread: main for construction and Stop; Start any. Ownership: everything passed in outlives the object; destroy it
// before the daemon.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cluster/daemon/daemon.h"
#include "cluster/election/fence.h"
#include "cluster/election/participant.h"
#include "config/configuration/berth_configuration.h"
#include "config/configuration/configuration.h"
#include "config/configuration/feature_gates.h"
#include "crash/reexec/reexec.h"

namespace berth {

class Electing final : private election::LeaderWork {
 public:
  // Fails for times that cannot work, with upstream's error.
  static base::Result<std::unique_ptr<Electing>> Make(const election::ParticipantOptions& options,
                                                      http::Transport& transport, daemon::Daemon& daemon,
                                                      election::FenceState& fence,
                                                      const metrics::LeaderElectionMetrics& metrics);

  // Begins to acquire the Lease. Only the first call has an effect.
  void Start() { participant_->Start(); }
  // Releases a Lease that is held. Call it when the daemon sends no more changes.
  void Stop() { participant_->Stop(); }

  // The Lease was lost, and the process must end.
  bool lost() const { return participant_->lost(); }
  // Whether the control plane knows this candidate. Null without coordinated leader election.
  const election::CandidateKeeper* candidate() const { return participant_->candidate(); }
  const election::Elector& elector() const { return participant_->elector(); }

 private:
  Electing(daemon::Daemon& daemon, const std::string& identity, const election::FenceState& fence);
  void BeginToLead() override { daemon_.leadership().Acquired(); }
  void EndToLead() override { daemon_.leadership().Lost(); }
  bool AwaitAnswers(int64_t ns) override { return daemon_.AwaitAnswers(ns); }
  void RequestEnd() override { daemon_.RequestEnd(); }
  void RecordEvent(events::EventRecord record) override { daemon_.RecordEvent(std::move(record)); }

  daemon::Daemon& daemon_;
  const crash::OfferedVariable identity_of_next_;  // a re-exec keeps the Lease
  std::unique_ptr<election::Participant> participant_;
};

struct ElectionInput {
  const config::Configuration& configuration;
  const config::BerthConfiguration& berth;
  const config::FeatureGates& gates;
  std::string identity;  // election::TakeIdentity
  uint64_t seed;         // replicas have different ones
};
// Events come from the first profile.
election::ParticipantOptions ElectionOptionsOf(const ElectionInput& input);

}  // namespace berth
