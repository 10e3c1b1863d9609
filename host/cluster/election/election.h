// The decisions of leader election, without input or output: it receives replies and the passage of time, and answers
// with the next step. Source: k8s.io/client-go/tools/leaderelection/leaderelection.go.
//
// A step is a request or a wait. The caller carries it out and reports its end: OnReply, OnTime, OnWake, OnAnswers, or
// OnStop; the answer is the next step, and the previous step is over. The caller drops a reply that comes after its
// step is over.
//
// All times are the clock's mono time, which continues while the machine is suspended. The Lease of another holder
// expires leaseDurationSeconds after this process observed its last change; its renewTime does not count, because
// clocks of machines differ. Thread: one, which the callbacks use too. Ownership: clock, fence, and callbacks must
// outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "client/http/transport.h"
#include "cluster/election/election_options.h"
#include "cluster/election/election_record.h"
#include "cluster/election/fence.h"
#include "cluster/election/leader_callbacks.h"
#include "cluster/election/lease_lock.h"
#include "telemetry/metrics/leader_election_metrics.h"

namespace berth::election {

struct Step {
  enum class Kind : uint8_t { kSend, kWait, kAwaitAnswers, kEnd };
  Kind kind = Kind::kWait;
  http::Request request;                   // kSend
  int64_t until_ns = 0;                    // kSend: the reply counts until then; kWait: continue then
  EndReason reason = EndReason::kStopped;  // kEnd
};

class Election {
 public:
  Election(ElectionOptions options, const base::Clock& clock, FenceState& fence, LeaderCallbacks& callbacks,
           metrics::LeaderElectionMetrics metrics, uint64_t seed);

  // Begins to acquire the Lease; also again after a kEnd.
  Step Start();
  // The reply to the request, or status 0 and an error if none came until until_ns.
  Step OnReply(const http::Reply& reply);
  // The wait is over.
  Step OnTime();
  // A watch shows a change of the Lease. Only during a wait, and only matters before it leads.
  Step OnWake();
  // The result of LeaderCallbacks::AwaitAnswers, for a kAwaitAnswers.
  Step OnAnswers(bool quiet);
  // Ends the election; releases a Lease that this process holds. Only before ending().
  Step OnStop();

  // The Lease is lost or the election was stopped: the steps until the kEnd only release it.
  bool ending() const { return ending_; }
  const ElectionRecord& observed() const { return observed_; }
  // Any thread.
  bool leading() const { return leading_.load(std::memory_order_acquire); }
  int64_t observed_mono_ns() const { return observed_ns_.load(std::memory_order_acquire); }

 private:
  enum class At : uint8_t {
    kIdle,
    kFastUpdate,  // optimistic: the Lease is as it was observed last
    kGet,
    kCreate,
    kUpdate,
    kAcquireWait,  // until the next try of a follower
    kRenewWait,    // until the next renewal
    kRetryWait,    // until the next try of a renewal that failed
    kAwaitAnswers,
    kReleaseGet,
    kReleaseUpdate,
    kReleaseWait,  // after a conflict
  };

  Step Try();
  Step AfterGet(const http::Reply& reply);
  Step AfterCoordinatedGet();
  Step AfterAcquireGet();
  Step AfterWrite(const http::Reply& reply);
  Step AfterFastUpdate(const http::Reply& reply);
  Step Succeeded();
  Step Failed();
  Step StartLeading();
  Step StopLeading(EndReason reason, const std::string& why);
  Step Release();
  Step AfterReleaseGet(const http::Reply& reply);
  Step AfterReleaseUpdate(const http::Reply& reply);
  Step Ended();

  Step SendGet(At at);
  Step SendCreate();
  Step SendUpdate(At at);
  Step SendAgain();  // what the reply is about
  Step Send(At at, http::Request request);
  Step WaitUntil(At at, int64_t until_ns);
  int64_t Now() const { return clock_.MonoNs(); }
  int64_t Jittered();
  int64_t NextTryNs();  // of a follower
  ElectionRecord RecordNow() const;
  void Observe(const ElectionRecord& record);
  bool IsLeader() const { return observed_.holder == options_.identity; }
  int64_t ExpiresNs() const { return observed_mono_ns() + observed_.lease_duration_seconds * base::kSecond; }
  void ReportTransition();
  void RecordEvent(const char* what);

  const ElectionOptions options_;
  const base::Clock& clock_;
  FenceState& fence_;
  LeaderCallbacks& callbacks_;
  const metrics::LeaderElectionMetrics metrics_;
  base::Random random_;
  LeaseLock lock_;

  At at_ = At::kIdle;
  std::atomic<bool> leading_{false};
  bool ending_ = false;
  EndReason reason_ = EndReason::kStopped;
  ElectionRecord observed_;              // the Lease's last known record
  std::atomic<int64_t> observed_ns_{0};  // when it was observed to change
  std::string reported_leader_;          // OnNewLeader's last
  ElectionRecord wanted_;                // what the write in flight writes
  int64_t try_began_ns_ = 0;
  int64_t sent_ns_ = 0;      // the last request
  int64_t deadline_ns_ = 0;  // of the renewal or the release
  int64_t wait_until_ns_ = 0;
};

}  // namespace berth::election
