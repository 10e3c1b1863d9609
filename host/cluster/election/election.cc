#include "cluster/election/election.h"

#include <algorithm>
#include <utility>

#include "codec/text/rfc3339.h"
#include "telemetry/log/log.h"

namespace berth::election {

Election::Election(ElectionOptions options, const base::Clock& clock, FenceState& fence, LeaderCallbacks& callbacks,
                   metrics::LeaderElectionMetrics metrics, uint64_t seed)
    : options_(std::move(options)),
      clock_(clock),
      fence_(fence),
      callbacks_(callbacks),
      metrics_(metrics),
      random_(seed),
      lock_(options_.ns, options_.name, options_.encodings) {
  metrics_.LeaderOff();
}

Step Election::Start() {
  ending_ = false;
  log::Info("Attempting to acquire leader lease...", {{"lock", options_.lock()}});
  return Try();
}

Step Election::OnReply(const http::Reply& reply) {
  if (lock_.Refuses(reply)) return SendAgain();
  switch (at_) {
    case At::kFastUpdate: return AfterFastUpdate(reply);
    case At::kGet: return AfterGet(reply);
    case At::kCreate:
    case At::kUpdate: return AfterWrite(reply);
    case At::kReleaseGet: return AfterReleaseGet(reply);
    case At::kReleaseUpdate: return AfterReleaseUpdate(reply);
    default: return WaitUntil(at_, wait_until_ns_);
  }
}

Step Election::OnTime() {
  switch (at_) {
    case At::kRetryWait:
      if (Now() >= deadline_ns_) return StopLeading(EndReason::kLost, "context deadline exceeded");
      return Try();
    case At::kRenewWait: deadline_ns_ = Now() + options_.renew_deadline.count(); return Try();
    case At::kReleaseWait: return Release();
    default: return Try();
  }
}

// The shortest time between two tries, so that a Lease that changes all the time does not cause a storm of requests.
Step Election::OnWake() {
  constexpr int64_t kShortest = 20 * base::kMillisecond;
  if (at_ != At::kAcquireWait) return WaitUntil(at_, wait_until_ns_);
  return WaitUntil(at_, std::min(wait_until_ns_, std::max(Now(), try_began_ns_ + kShortest)));
}

Step Election::OnStop() {
  const bool may_have_written = at_ == At::kCreate || at_ == At::kUpdate || at_ == At::kFastUpdate;
  ending_ = true;
  if (leading_) return StopLeading(EndReason::kStopped, "context canceled");
  reason_ = EndReason::kStopped;
  if (!may_have_written) return Ended();
  deadline_ns_ = Now() + options_.renew_deadline.count();
  return Release();
}

// tryAcquireOrRenew and tryCoordinatedRenew, up to their first request.
Step Election::Try() {
  try_began_ns_ = Now();
  wanted_ = RecordNow();
  if (options_.coordinated || !IsLeader() || !lock_.known() || ExpiresNs() <= try_began_ns_) return SendGet(At::kGet);
  wanted_.acquire_time = observed_.acquire_time;
  wanted_.transitions = observed_.transitions;
  return SendUpdate(At::kFastUpdate);
}

Step Election::AfterFastUpdate(const http::Reply& reply) {
  const auto error = lock_.Accept(reply, "update");
  if (!error) return Succeeded();
  log::V(2, "Failed to update lease optimistically, falling back to slow path",
         {{"lock", options_.lock()}, {"err", error->message}});
  if (leading_ && Now() >= deadline_ns_) return Failed();
  wanted_ = RecordNow();
  return SendGet(At::kGet);
}

Step Election::AfterGet(const http::Reply& reply) {
  if (const auto error = lock_.Accept(reply, "get")) {
    if (error->NotFound() && !options_.coordinated) return SendCreate();
    if (error->NotFound()) {
      log::Info("Lease lock not found", {{"lock", options_.lock()}, {"err", error->message}});
    } else {
      log::Error("Error retrieving lease lock", {{"lock", options_.lock()}, {"err", error->message}});
    }
    return Failed();
  }
  Observe(lock_.record());
  return options_.coordinated ? AfterCoordinatedGet() : AfterAcquireGet();
}

Step Election::AfterAcquireGet() {
  if (!observed_.holder.empty() && ExpiresNs() > try_began_ns_ && !IsLeader()) {
    log::V(4, "Lease is held by and has not yet expired", {{"lock", options_.lock()}, {"holder", observed_.holder}});
    return Failed();
  }
  if (IsLeader()) {
    wanted_.acquire_time = observed_.acquire_time;
    wanted_.transitions = observed_.transitions;
    metrics_.SlowpathExercised();
  } else {
    wanted_.transitions = observed_.transitions + 1;
  }
  return SendUpdate(At::kUpdate);
}

Step Election::AfterCoordinatedGet() {
  if (ExpiresNs() < try_began_ns_) {
    log::Info("Lease has expired", {{"lock", options_.lock()}});
    return Failed();
  }
  if (!IsLeader()) {
    log::V(6, "Lease is held and has not yet expired", {{"lock", options_.lock()}, {"holder", observed_.holder}});
    return Failed();
  }
  if (!observed_.preferred_holder.empty()) {
    log::V(4, "Lease is marked as 'end of term'", {{"lock", options_.lock()}});
    return Failed();
  }
  wanted_.acquire_time = observed_.acquire_time;
  wanted_.transitions = observed_.transitions;
  wanted_.strategy = observed_.strategy;
  metrics_.SlowpathExercised();
  return SendUpdate(At::kUpdate);
}

Step Election::AfterWrite(const http::Reply& reply) {
  const bool created = at_ == At::kCreate;
  const auto error = lock_.Accept(reply, created ? "create" : "update");
  if (!error) return Succeeded();
  log::Error(created                ? "Error initially creating lease lock"
             : options_.coordinated ? "Failed to update lock"
                                    : "Failed to update lease",
             {{"lock", options_.lock()}, {"err", error->message}});
  return Failed();
}

Step Election::Succeeded() {
  observed_ = wanted_;
  observed_ns_ = Now();
  fence_.Extend(sent_ns_ + wanted_.lease_duration_seconds * base::kSecond);
  if (!leading_) return StartLeading();
  ReportTransition();
  log::V(5, "Successfully renewed lease", {{"lock", options_.lock()}});
  return WaitUntil(At::kRenewWait, Now() + options_.retry_period.count());
}

Step Election::Failed() {
  if (leading_) {
    // wait.PollUntilContextTimeout: its ticks are a retryPeriod apart.
    if (Now() >= deadline_ns_) return StopLeading(EndReason::kLost, "context deadline exceeded");
    const int64_t next = std::max(Now(), try_began_ns_ + options_.retry_period.count());
    return WaitUntil(At::kRetryWait, std::min(next, deadline_ns_));
  }
  ReportTransition();
  log::V(4, "Failed to acquire lease", {{"lock", options_.lock()}});
  return WaitUntil(At::kAcquireWait, NextTryNs());
}

// Also the end of the Lease of another holder, so that this process takes over from a failed leader at that time.
int64_t Election::NextTryNs() {
  const int64_t next = Now() + Jittered();
  const bool held = !options_.coordinated && !observed_.holder.empty() && !IsLeader();
  return held && ExpiresNs() > Now() ? std::min(next, ExpiresNs()) : next;
}

Step Election::StartLeading() {
  leading_ = true;
  ReportTransition();
  RecordEvent("became leader");
  metrics_.LeaderOn();
  log::Info("Successfully acquired lease", {{"lock", options_.lock()}});
  callbacks_.OnStartedLeading();
  // renew starts at once with a renewal. Source: wait.UntilWithContext.
  deadline_ns_ = Now() + options_.renew_deadline.count();
  return WaitUntil(At::kRenewWait, Now());
}

Step Election::StopLeading(EndReason reason, const std::string& why) {
  fence_.Revoke();
  leading_ = false;
  ending_ = true;
  reason_ = reason;
  ReportTransition();
  metrics_.LeaderOff();
  if (reason == EndReason::kLost) log::Info("Failed to renew lease", {{"lock", options_.lock()}, {"err", why}});
  callbacks_.OnStoppedLeading(reason);
  RecordEvent("stopped leading");
  at_ = At::kAwaitAnswers;
  Step step;
  step.kind = Step::Kind::kAwaitAnswers;
  return step;
}

Step Election::OnAnswers(bool quiet) {
  if (!quiet) {
    log::Warning("The lease is not released, because the outcome of some requests is unknown",
                 {{"lock", options_.lock()}});
    return Ended();
  }
  deadline_ns_ = Now() + options_.renew_deadline.count();
  return Release();
}

Step Election::Release() { return Now() >= deadline_ns_ ? Ended() : SendGet(At::kReleaseGet); }

Step Election::AfterReleaseGet(const http::Reply& reply) {
  if (const auto error = lock_.Accept(reply, "get")) {
    if (error->NotFound()) {
      log::Info("lease lock not found", {{"lock", options_.lock()}});
    } else {
      log::Error("error retrieving resource lock", {{"lock", options_.lock()}, {"err", error->message}});
    }
    return Ended();
  }
  Observe(lock_.record());
  // Upstream compares the record that it observed before, and so may release the Lease of another holder.
  if (!IsLeader()) return Ended();
  wanted_ = RecordNow();
  wanted_.holder.clear();
  wanted_.lease_duration_seconds = 1;
  wanted_.transitions = observed_.transitions;
  return SendUpdate(At::kReleaseUpdate);
}

Step Election::AfterReleaseUpdate(const http::Reply& reply) {
  constexpr int64_t kAfterConflict = 20 * base::kMillisecond;
  const auto error = lock_.Accept(reply, "update");
  if (!error) {
    observed_ = wanted_;
    observed_ns_ = Now();
    return Ended();
  }
  if (error->Conflict()) {  // as kube-scheduler 1.37
    log::V(4, "Conflict when releasing lease, retrying", {{"lock", options_.lock()}});
    return WaitUntil(At::kReleaseWait, Now() + kAfterConflict);
  }
  log::Error("Failed to release lease", {{"lock", options_.lock()}, {"err", error->message}});
  return Ended();
}

Step Election::Ended() {
  at_ = At::kIdle;
  Step step;
  step.kind = Step::Kind::kEnd;
  step.reason = reason_;
  return step;
}

Step Election::SendGet(At at) { return Send(at, lock_.GetRequest()); }
Step Election::SendCreate() { return Send(At::kCreate, lock_.CreateRequest(wanted_)); }
Step Election::SendUpdate(At at) { return Send(at, lock_.UpdateRequest(wanted_)); }

Step Election::SendAgain() {
  switch (at_) {
    case At::kCreate: return SendCreate();
    case At::kGet:
    case At::kReleaseGet: return SendGet(at_);
    default: return SendUpdate(at_);
  }
}

Step Election::Send(At at, http::Request request) {
  at_ = at;
  sent_ns_ = Now();
  Step step;
  step.kind = Step::Kind::kSend;
  step.request = std::move(request);
  step.until_ns = sent_ns_ + RequestTimeout(options_.renew_deadline).count();
  const bool has_deadline = leading_ || at == At::kReleaseGet || at == At::kReleaseUpdate;
  if (has_deadline) step.until_ns = std::min(step.until_ns, deadline_ns_);
  wait_until_ns_ = step.until_ns;
  return step;
}

Step Election::WaitUntil(At at, int64_t until_ns) {
  at_ = at;
  wait_until_ns_ = until_ns;
  Step step;
  step.until_ns = until_ns;
  return step;
}

// wait.Jitter
int64_t Election::Jittered() {
  const int64_t period = options_.retry_period.count();
  const auto most = static_cast<uint64_t>(kJitterFactor * static_cast<double>(period));
  return period + static_cast<int64_t>(random_.Below(std::max<uint64_t>(1, most)));
}

ElectionRecord Election::RecordNow() const {
  ElectionRecord record;
  record.holder = options_.identity;
  record.lease_duration_seconds = std::chrono::floor<std::chrono::seconds>(options_.lease_duration).count();
  record.acquire_time = record.renew_time = text::MicroTimeText(std::max<int64_t>(0, clock_.WallUnixNs()));
  return record;
}

// A change counts from now on. If the record has another holder, this process no longer holds the Lease.
void Election::Observe(const ElectionRecord& record) {
  if (record != observed_) {
    observed_ = record;
    observed_ns_ = Now();
  }
  if (!IsLeader()) fence_.Revoke();
}

void Election::ReportTransition() {
  if (observed_.holder == reported_leader_) return;
  reported_leader_ = observed_.holder;
  callbacks_.OnNewLeader(reported_leader_);
}

void Election::RecordEvent(const char* what) {
  callbacks_.OnEvent(
      {options_.ns, options_.name, lock_.uid(), lock_.resource_version(), options_.identity + " " + what});
}

}  // namespace berth::election
