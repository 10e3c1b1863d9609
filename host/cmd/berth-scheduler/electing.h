// Takes part in the election of a leader, and connects the election with the daemon: only the leader schedules.
// Source: cmd/kube-scheduler/app/server.go Run.
//
// Thread: main for construction and Stop; Start any. Ownership: everything passed in outlives the object; destroy it
// before the daemon.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/result.h"
#include "cluster/daemon/daemon.h"
#include "cluster/election/boot_clock.h"
#include "cluster/election/candidate_keeper.h"
#include "cluster/election/elector.h"
#include "cluster/election/fence.h"
#include "cluster/election/leader_callbacks.h"
#include "cluster/election/lease_candidate.h"
#include "config/configuration/berth_configuration.h"
#include "config/configuration/configuration.h"
#include "config/configuration/feature_gates.h"
#include "crash/reexec/reexec.h"

namespace berth {

class Electing final : private election::LeaderCallbacks {
 public:
  struct Options {
    election::ElectionOptions election;
    election::CandidateOptions candidate;  // with coordinated leader election
    bool stand_by = false;                 // after a lost Lease: become a follower. Otherwise the process ends.
    std::string source_name;               // of Events: the first profile's name
    uint64_t seed = 0;
  };
  // Fails for times that cannot work, with upstream's error.
  static base::Result<std::unique_ptr<Electing>> Make(Options options, http::Transport& transport,
                                                      daemon::Daemon& daemon, election::FenceState& fence,
                                                      const metrics::LeaderElectionMetrics& metrics);
  ~Electing() override { Stop(); }

  // Begins to acquire the Lease. Only the first call has an effect.
  void Start();
  // Releases a Lease that is held. Call it when the daemon sends no change any more.
  void Stop();

  // The Lease was lost, and the process is to end.
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  // Whether the control plane knows this candidate. Null without coordinated leader election.
  const election::CandidateKeeper* candidate() const { return keeper_ ? &*keeper_ : nullptr; }
  const election::Elector& elector() const { return elector_; }

 private:
  Electing(Options options, http::Transport& transport, daemon::Daemon& daemon, election::FenceState& fence,
           const metrics::LeaderElectionMetrics& metrics);
  void Run(const std::stop_token& stop);
  void OnStartedLeading() override;
  bool OnStoppedLeading(election::EndReason reason) override;
  void ReactToLoss();
  void OnNewLeader(const std::string& identity) override;
  void OnEvent(election::LeaderEvent event) override;

  const Options options_;
  daemon::Daemon& daemon_;
  election::BootClock clock_;
  election::Elector elector_;
  std::optional<election::CandidateKeeper> keeper_;  // with coordinated leader election
  const crash::OfferedVariable identity_of_next_;    // a re-exec keeps the Lease
  std::atomic<bool> started_{false}, lost_{false};
  std::jthread thread_, keeping_;
};

struct ElectionInput {
  const config::Configuration& configuration;
  const config::BerthConfiguration& berth;
  const config::FeatureGates& gates;
  std::string identity;  // election::TakeIdentity
  uint64_t seed;         // replicas have different ones
};
Electing::Options ElectingOptionsOf(const ElectionInput& input);

// The time before the end of the Lease in which the leader sends no change any more: it needs time to take effect.
int64_t FenceMarginNs(const config::LeaderElection& configuration);

}  // namespace berth
