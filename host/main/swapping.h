// Hot swap, put together for the daemon: the coordinator, what it asks of the running scheduler, and where its reports
// go: log, metrics, Events, the admin's pages. Thread: main; reports come on the coordinator's threads. Ownership:
// everything passed in outlives it; destroy it before the daemon.
#pragma once

#include <memory>

#include "daemon/daemon.h"
#include "dispatch/event_body.h"
#include "log/log.h"
#include "main/admin.h"
#include "metrics/registry.h"
#include "swap/coordinator.h"

namespace berth {

class Swapping final : private swap::Target, private swap::SwapObserver {
 public:
  // about: what Events are about.
  Swapping(daemon::Daemon& daemon, Admin& admin, metrics::Registry& registry, swap::CoordinatorOptions options,
           dispatch::ObjectReference about);
  ~Swapping() override;

  // The first generation, which can be replaced as well.
  std::shared_ptr<const framework::ProfileSet> Wrap(std::shared_ptr<framework::ProfileSet> first) {
    return retirement_.Wrap(std::move(first));
  }
  // told: of what swap::Coordinator::PathsOf names, taken before policy was read.
  base::Result<void> Start(std::unique_ptr<assembly::Policy> policy,
                           std::shared_ptr<const framework::ProfileSet> in_force, swap::Fingerprint told);
  void Poke();
  void Stop();

 private:
  plugin::Services& services() override { return daemon_.services(); }
  void OfferProfiles(std::shared_ptr<const framework::ProfileSet> profiles, engine::OfferEnd end) override;
  void WithdrawOffer() override;
  void WatchNeededKinds(const framework::ProfileSet& profiles) override;
  void Configure(const config::Configuration& configuration, const config::BerthConfiguration& berth) override;
  void OnSwap(const swap::Report& report, const framework::ProfileSet& in_force,
              const config::Configuration& configuration) override;
  void Measure(const swap::Report& report);

  daemon::Daemon& daemon_;
  Admin& admin_;
  metrics::Registry& registry_;
  swap::CoordinatorOptions options_;
  const dispatch::ObjectReference about_;
  const int verbosity_ = log::Verbosity();  // of -v
  swap::Retirement retirement_;
  std::unique_ptr<swap::Coordinator> coordinator_;
};

}  // namespace berth
