#include "cmd/berth-scheduler/swapping.h"

namespace berth {

Swapping::Swapping(daemon::Daemon& daemon, Admin& admin, metrics::Registry& registry,
                   reload::CoordinatorOptions options, events::ObjectReference about)
    : daemon_(daemon),
      admin_(admin),
      options_(std::move(options)),
      announcer_(
          registry, [&daemon](events::EventRecord event) { daemon.RecordEvent(std::move(event)); }, std::move(about)) {}

Swapping::~Swapping() { Stop(); }

void Swapping::Start(std::unique_ptr<assembly::Policy> policy, std::shared_ptr<const framework::ProfileSet> active,
                     reload::Fingerprint seen) {
  coordinator_ = std::make_unique<reload::Coordinator>(static_cast<reload::Target&>(*this),
                                                       static_cast<reload::SwapObserver&>(*this), options_,
                                                       std::move(policy), std::move(active), retirement_);
  coordinator_->Start(std::move(seen));
}

void Swapping::Poke() {
  if (coordinator_ != nullptr) coordinator_->Poke();
}

void Swapping::Stop() {
  coordinator_.reset();
  retirement_.Stop();
}

void Swapping::SubmitCandidate(std::shared_ptr<const framework::ProfileSet> profiles, engine::CandidateEnd end) {
  daemon_.engine().SubmitCandidate(std::move(profiles), std::move(end));
}

void Swapping::WithdrawCandidate() { daemon_.engine().WithdrawCandidate(); }

void Swapping::WatchNeededKinds(const framework::ProfileSet& profiles) { daemon_.WatchNeededKinds(profiles); }

void Swapping::OnSwap(const reload::Report& report, const framework::ProfileSet& active,
                      const config::Configuration& configuration) {
  const bool changed = report.result == reload::Result::kPublished || report.result == reload::Result::kRolledBack;
  if (changed) admin_.Show(active, configuration);
  admin_.SetDivergence(report.problems.empty()
                           ? (report.result == reload::Result::kRolledBack ? report.causes.front() : "")
                           : report.step + ": " + report.problems.front());
  announcer_.Announce(report);
}

}  // namespace berth
