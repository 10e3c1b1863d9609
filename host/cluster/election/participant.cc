#include "cluster/election/participant.h"

#include <utility>

#include "base/thread_name.h"
#include "client/http/await.h"
#include "telemetry/log/log.h"

namespace berth::election {

int64_t FenceMarginNs(std::chrono::nanoseconds lease_duration, std::chrono::nanoseconds renew_deadline) {
  return (lease_duration - renew_deadline).count() / 2;
}

base::Result<std::unique_ptr<Participant>> Participant::Make(ParticipantOptions options, http::Transport& transport,
                                                             LeaderWork& work, FenceState& fence,
                                                             const metrics::LeaderElectionMetrics& metrics) {
  if (const auto valid = CheckOptions(options.election); !valid) {
    return base::Fail("couldn't create leader elector: " + valid.error().message);
  }
  return std::unique_ptr<Participant>(new Participant(std::move(options), transport, work, fence, metrics));
}

Participant::Participant(ParticipantOptions options, http::Transport& transport, LeaderWork& work, FenceState& fence,
                         const metrics::LeaderElectionMetrics& metrics)
    : options_(std::move(options)),
      work_(work),
      elector_(options_.election, {.transport = transport,
                                   .clock = clock_,
                                   .fence = fence,
                                   .callbacks = *this,
                                   .metrics = metrics,
                                   .seed = options_.seed}) {
  if (options_.election.coordinated) keeper_.emplace(options_.candidate, transport, clock_, options_.seed);
}

void Participant::Start() {
  if (started_.exchange(true)) return;
  log::V(1, "Leader election", {{"lock", options_.election.lock()}, {"identity", options_.election.identity}});
  ended_ = std::make_shared<base::Bell>();
  http::StartOnIo([this] { return Run(stop_.get_token()); });
  if (!keeper_) return;
  keeping_ = std::jthread([this](const std::stop_token& stop) {
    base::NameThread("lease-candidate");
    keeper_->Run(stop);
  });
}

// The bell is the last action: this object may be destroyed after it.
base::Async<void> Participant::Run(std::stop_token stop) {
  const std::shared_ptr<base::Bell> ended = ended_;
  EndReason reason = EndReason::kLost;
  do {
    reason = co_await elector_.Run(stop);
  } while (reason == EndReason::kLost && options_.stand_by);
  ended->Ring();
}

void Participant::Stop() {
  started_ = true;
  stop_.request_stop();
  if (ended_) ended_->Wait({});
  keeping_.request_stop();
  if (keeping_.joinable()) keeping_.join();
}

// A successor acquires a released Lease at once, and may not see the effect of a request that is still unanswered.
void Participant::OnStoppedLeading(EndReason reason) {
  work_.EndToLead();
  if (reason == EndReason::kLost) ReactToLoss();
}

void Participant::ReactToLoss() {
  log::Error("Leaderelection lost");
  if (options_.stand_by) {
    log::Warning("This process became a follower", {{"lock", options_.election.lock()}});
    return;
  }
  lost_.store(true, std::memory_order_release);
  work_.RequestEnd();
}

void Participant::OnNewLeader(const std::string& identity) {
  if (!identity.empty()) log::V(1, "New leader", {{"lock", options_.election.lock()}, {"identity", identity}});
}

void Participant::OnEvent(LeaderEvent event) {
  events::ObjectReference lease{
      std::move(event.ns),     std::move(event.name), std::move(event.uid), std::move(event.resource_version), "Lease",
      "coordination.k8s.io/v1"};
  work_.RecordEvent(events::LeaderElectionEvent(std::move(lease), options_.source_name, std::move(event.message)));
}

}  // namespace berth::election
