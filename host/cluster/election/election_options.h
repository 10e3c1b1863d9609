// What an election needs to know. Source: k8s.io/client-go/tools/leaderelection LeaderElectionConfig and
// NewLeaderElector, cmd/kube-scheduler/app/options/options.go makeLeaderElectionConfig. Thread: a value.
#pragma once

#include <chrono>
#include <string>

#include "base/result.h"
#include "client/requests/encoding.h"

namespace berth::election {

// The acquire loop waits between 1 and 1 + kJitterFactor times retry_period. Source: leaderelection.go JitterFactor.
inline constexpr double kJitterFactor = 1.2;

struct ElectionOptions {
  std::string ns = "kube-system", name = "kube-scheduler";  // of the Lease
  std::string identity;                                     // see identity.h
  // The name in metrics and in the health check. kube-scheduler has this name for every Lease.
  std::string election_name = "kube-scheduler";
  std::chrono::nanoseconds lease_duration = std::chrono::seconds(15);  // the Lease has its whole seconds
  std::chrono::nanoseconds renew_deadline = std::chrono::seconds(10);
  std::chrono::nanoseconds retry_period = std::chrono::seconds(2);
  // The gate CoordinatedLeaderElection: the control plane names the holder, and the elector only renews.
  bool coordinated = false;
  requests::Encodings encodings = {};  // of the Lease
  bool watch = true;                   // a follower watches the Lease, to notice a release at once

  std::string lock() const { return ns + "/" + name; }  // as log lines name it
};

// With NewLeaderElector's errors: "leaseDuration must be greater than renewDeadline".
base::Result<void> CheckOptions(const ElectionOptions& options);

// The time limit of one request: half of renew_deadline, and at least a second, so that one request that hangs does not
// cost the Lease. Also for http::ClientOptions::timeout of the transport. Source: resourcelock/interface.go
// NewFromKubeconfig.
std::chrono::nanoseconds RequestTimeout(std::chrono::nanoseconds renew_deadline);

}  // namespace berth::election
