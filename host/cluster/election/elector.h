// Carries out an election: it sends the requests that Election decides, waits for their replies, and watches the Lease.
//
// Thread: Run is a coroutine of the I/O thread, and calls the callbacks there; one Run at a time. The const functions:
// any thread. Ownership: the services must outlive the elector; nothing else uses transport, so that a renewal never
// waits behind a binding.
#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "base/async.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/task_threads.h"
#include "base/thread_annotations.h"
#include "client/http/transport.h"
#include "cluster/election/election.h"
#include "cluster/election/election_options.h"
#include "cluster/election/fence.h"
#include "cluster/election/leader_callbacks.h"
#include "telemetry/metrics/leader_election_metrics.h"

namespace berth::election {

class Mailbox;
class LeaseWatch;

struct ElectorServices {
  http::Transport& transport;
  const base::Clock& clock;  // a BootClock
  FenceState& fence;
  LeaderCallbacks& callbacks;
  metrics::LeaderElectionMetrics metrics = {};
  uint64_t seed = 0;  // of the jitter; replicas should have different ones
};

// How long past leaseDuration a leader may go without a renewal before it is unhealthy. Source:
// cmd/kube-scheduler/app/options/options.go NewLeaderHealthzAdaptor(time.Second * 20).
inline constexpr int64_t kHealthToleranceNs = 20 * base::kSecond;

class Elector {
 public:
  // options: CheckOptions has accepted them.
  Elector(ElectionOptions options, const ElectorServices& services);
  ~Elector();

  // Acquires the Lease, then renews it until the Lease is lost or stop is requested; then it releases a Lease that this
  // process still holds, in at most renewDeadline. It may be called again after it has ended; the elector keeps the
  // last known Lease.
  base::Async<EndReason> Run(std::stop_token stop);

  // Between OnStartedLeading and OnStoppedLeading. Requests ask the fence instead.
  bool leading() const;
  // The holder that was observed last; "": none.
  std::string leader() const;
  // The health check leaderElection. Error: "failed election to renew leadership on lease kube-scheduler": the elector
  // leads, and has not renewed for leaseDuration and tolerance. Source: leaderelection.go LeaderElector.Check.
  base::Result<void> Check(int64_t tolerance_ns = kHealthToleranceNs) const;
  const ElectionOptions& options() const { return options_; }

 private:
  void Publish();
  base::Async<void> UpdateWatch(Step::Kind next);
  base::Async<void> EndWatch();
  base::Async<Step> CarryOut(Step step, std::stop_token stop);
  base::Async<Step> AwaitAnswers();

  const ElectionOptions options_;
  http::Transport& transport_;
  const base::Clock& clock_;
  LeaderCallbacks& callbacks_;
  const uint64_t seed_;
  const std::shared_ptr<Mailbox> mailbox_;  // also of replies that come after the elector's end
  const std::unique_ptr<Election> election_;
  std::unique_ptr<LeaseWatch> watch_;
  base::TaskThreads waiting_{{.name = "election", .most = 1}};  // for answers

  mutable base::Mutex mutex_;
  std::string leader_ GUARDED_BY(mutex_);
};

}  // namespace berth::election
