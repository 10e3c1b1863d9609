// Keeps the LeaseCandidate of this process: creates it, renews it every five minutes, and at once when the control
// plane pings it. Source: k8s.io/client-go/tools/leaderelection/leasecandidate.go LeaseCandidate.Run.
//
// Thread: Run blocks its caller, a separate thread; synced: any thread. Ownership: transport and clock must outlive it.
// Errors: logged; Run tries again.
#pragma once

#include <atomic>
#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/random.h"
#include "client/http/transport.h"
#include "cluster/election/lease_candidate.h"

namespace berth::election {

class CandidateKeeper {
 public:
  CandidateKeeper(CandidateOptions options, http::Transport& transport, const base::Clock& clock, uint64_t seed);

  // Until stop is requested. The object stays: the control plane removes candidates that do not renew.
  void Run(const std::stop_token& stop);
  // The candidate has been created or renewed; for the readiness check informer-sync.
  bool synced() const { return synced_.load(std::memory_order_acquire); }

 private:
  // Reads the candidate; creates it if there is none; renews it if that is due, or pinged. false: a request failed.
  bool Ensure();
  bool Write(http::Request request, const char* verb);
  // Until the candidate is pinged or gone, or the watch ends. false: the watch failed.
  bool Watch(const std::stop_token& stop);
  bool OnLine(std::string_view line);  // false: the candidate must be read
  bool Failed(const http::Reply& reply, const char* verb);

  const CandidateOptions options_;
  http::Transport& transport_;
  const base::Clock& clock_;
  base::Random random_;
  int64_t renew_at_ns_ = 0;  // mono
  bool failing_ = false;     // logged already
  std::atomic<bool> synced_{false};
};

}  // namespace berth::election
