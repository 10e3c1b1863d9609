#include "cluster/election/participant.h"

#include <utility>

#include "base/thread_name.h"
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
  thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  if (!keeper_) return;
  keeping_ = std::jthread([this](const std::stop_token& stop) {
    base::NameThread("lease-candidate");
    keeper_->Run(stop);
  });
}

void Participant::Run(const std::stop_token& stop) {
  base::NameThread("election");
  while (elector_.Run(stop) == EndReason::kLost && options_.stand_by) {
  }
}

void Participant::Stop() {
  started_ = true;
  for (std::jthread* thread : {&thread_, &keeping_}) {
    thread->request_stop();
    if (thread->joinable()) thread->join();
  }
}

// A successor acquires a released Lease at once, and may not see the effect of a request that is still unanswered.
bool Participant::OnStoppedLeading(EndReason reason) {
  work_.EndToLead();
  if (reason == EndReason::kLost) ReactToLoss();
  return work_.AwaitAnswers(options_.election.renew_deadline.count());
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
