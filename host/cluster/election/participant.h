// A process that takes part in an election: the elector and, with coordinated leader election, the thread of the
// candidate, and what every program does when it gains or loses the Lease. Source: cmd/kube-scheduler/app/server.go
// Run.
//
// Thread: main for construction and Stop; Start any. Ownership: everything passed in outlives the object.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/async.h"
#include "base/result.h"
#include "client/http/transport.h"
#include "cluster/election/boot_clock.h"
#include "cluster/election/candidate_keeper.h"
#include "cluster/election/elector.h"
#include "cluster/election/fence.h"
#include "cluster/election/leader_callbacks.h"
#include "cluster/election/lease_candidate.h"
#include "cluster/events/event_body.h"
#include "telemetry/metrics/leader_election_metrics.h"

namespace berth::election {

// What only the leader does. Thread: the I/O thread, which must not be blocked; AwaitAnswers another one.
class LeaderWork {
 public:
  virtual ~LeaderWork() = default;
  // This process has become the leader.
  virtual void BeginToLead() = 0;
  // This process is no longer the leader, and sends no new request that changes an object.
  virtual void EndToLead() = 0;
  // Waits until the API server has answered all requests, at most ns. True: it has.
  virtual bool AwaitAnswers(int64_t ns) = 0;
  // The Lease is lost, and the process must end.
  virtual void RequestEnd() = 0;
  virtual void RecordEvent(events::EventRecord record) = 0;
};

struct ParticipantOptions {
  ElectionOptions election;
  CandidateOptions candidate;  // with coordinated leader election
  bool stand_by = false;       // after a lost Lease: become a follower. Otherwise the process ends.
  std::string source_name;     // of Events
  uint64_t seed = 0;           // replicas have different ones
};

// The time before the end of the Lease in which the leader sends no more changes: a change takes time.
int64_t FenceMarginNs(std::chrono::nanoseconds lease_duration, std::chrono::nanoseconds renew_deadline);

class Participant final : private LeaderCallbacks {
 public:
  // Fails for times that cannot work, with upstream's error.
  static base::Result<std::unique_ptr<Participant>> Make(ParticipantOptions options, http::Transport& transport,
                                                         LeaderWork& work, FenceState& fence,
                                                         const metrics::LeaderElectionMetrics& metrics);
  ~Participant() override { Stop(); }

  // Begins to acquire the Lease. Only the first call has an effect.
  void Start();
  // Releases a Lease that is held. Call it when the process sends no more changes.
  void Stop();

  // The Lease was lost, and the process must end.
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  // Whether the control plane knows this candidate. Null without coordinated leader election.
  const CandidateKeeper* candidate() const { return keeper_ ? &*keeper_ : nullptr; }
  const Elector& elector() const { return elector_; }

 private:
  Participant(ParticipantOptions options, http::Transport& transport, LeaderWork& work, FenceState& fence,
              const metrics::LeaderElectionMetrics& metrics);
  base::Async<void> Run(std::stop_token stop);

  void OnStartedLeading() override { work_.BeginToLead(); }
  void OnStoppedLeading(EndReason reason) override;
  bool AwaitAnswers() override { return work_.AwaitAnswers(options_.election.renew_deadline.count()); }
  void ReactToLoss();
  void OnNewLeader(const std::string& identity) override;
  void OnEvent(LeaderEvent event) override;

  const ParticipantOptions options_;
  LeaderWork& work_;
  BootClock clock_;
  Elector elector_;
  std::optional<CandidateKeeper> keeper_;  // with coordinated leader election
  std::atomic<bool> started_{false}, lost_{false};
  std::stop_source stop_;
  std::shared_ptr<base::Bell> ended_;  // of Run; null: it has not been started
  std::jthread keeping_;
};

}  // namespace berth::election
