// The LeaseCandidate of coordinated leader election (gate CoordinatedLeaderElection): the control plane chooses the
// holder of a Lease among the candidates that answer its pings. Source: k8s.io/client-go/tools/leaderelection/
// leasecandidate.go, cmd/kube-scheduler/app/server.go Run. Thread: pure functions, any.
#pragma once

#include <cstdint>
#include <string>

#include "client/http/transport.h"
#include "codec/json/value.h"

namespace berth::election {

struct CandidateOptions {
  std::string ns = "kube-system";
  std::string name;  // the identity of the candidate
  std::string lease_name = "kube-scheduler";
  std::string binary_version, emulation_version;  // semantic versions: "1.36.3", "1.36.0"
  std::string strategy = "OldestEmulationVersion";

  // "/apis/coordination.k8s.io/v1beta1/namespaces/NS/leasecandidates"; with a name, of that object
  std::string ListPath() const;
  std::string Path() const { return ListPath() + "/" + name; }
};

http::Request CreateCandidate(const CandidateOptions& options, int64_t wall_unix_ns);
// Renews candidate, which was read before. All other fields stay.
http::Request RenewCandidate(const CandidateOptions& options, json::Value candidate, int64_t wall_unix_ns);
// Whether the control plane waits for a renewal: pingTime is later than renewTime.
bool IsPinged(const json::Value& candidate);

}  // namespace berth::election
