// Connects the coordinator of policy changes with the daemon, and its reports with the announcer and the admin
// endpoints. Thread: main; reports come on the coordinator's threads. Ownership: everything passed in outlives it;
// destroy it before the daemon.
#pragma once

#include <memory>

#include "cluster/daemon/daemon.h"
#include "cluster/events/event_body.h"
#include "cmd/berth-scheduler/admin.h"
#include "reload/announcer/announcer.h"
#include "reload/coordinator/coordinator.h"
#include "telemetry/metrics/registry.h"

namespace berth {

class Swapping final : private reload::Target, private reload::SwapObserver {
 public:
  // about: what Events are about.
  Swapping(daemon::Daemon& daemon, Admin& admin, metrics::Registry& registry, reload::CoordinatorOptions options,
           events::ObjectReference about);
  ~Swapping() override;

  // For the first profile set: the retirement thread destroys it, too.
  std::shared_ptr<const framework::ProfileSet> Wrap(std::shared_ptr<framework::ProfileSet> first) {
    return retirement_.Wrap(std::move(first));
  }
  // seen: the fingerprint of reload::Coordinator::PathsOf, taken before policy was read.
  void Start(std::unique_ptr<assembly::Policy> policy, std::shared_ptr<const framework::ProfileSet> active,
             reload::Fingerprint seen);
  void Poke();  // any thread, between Start and Stop
  void Stop();

 private:
  plugin::Services& services() override { return daemon_.services(); }
  void SubmitCandidate(std::shared_ptr<const framework::ProfileSet> profiles, engine::CandidateEnd end) override;
  void WithdrawCandidate() override;
  void WatchNeededKinds(const framework::ProfileSet& profiles) override;
  void OnSwap(const reload::Report& report, const framework::ProfileSet& active,
              const config::Configuration& configuration) override;

  daemon::Daemon& daemon_;
  Admin& admin_;
  reload::CoordinatorOptions options_;
  announcer::Announcer announcer_;
  reload::Retirement retirement_;
  std::unique_ptr<reload::Coordinator> coordinator_;
};

}  // namespace berth
