#include "main/swapping.h"

#include "base/text.h"
#include "log/log.h"
#include "main/swap_event.h"

namespace berth {
namespace {

constexpr const char* kResults[] = {"published", "unchanged", "refused", "rolled_back"};

double Seconds(std::chrono::nanoseconds time) { return std::chrono::duration<double>(time).count(); }

std::string Milliseconds(const swap::Report& report) {
  std::string text;
  for (const auto& [step, took] : report.steps) {
    text += (text.empty() ? "" : " ") + step + "=" + std::to_string(took.count() / 1'000'000) + "ms";
  }
  return text;
}

}  // namespace

Swapping::Swapping(daemon::Daemon& daemon, Admin& admin, metrics::Registry& registry, swap::CoordinatorOptions options,
                   dispatch::ObjectReference about)
    : daemon_(daemon), admin_(admin), registry_(registry), options_(std::move(options)), about_(std::move(about)) {}

Swapping::~Swapping() { Stop(); }

base::Result<void> Swapping::Start(std::unique_ptr<assembly::Policy> policy,
                                   std::shared_ptr<const framework::ProfileSet> in_force, swap::Fingerprint told) {
  log::SetVerbosity(policy->config.berth.verbosity.value_or(verbosity_));
  coordinator_ =
      std::make_unique<swap::Coordinator>(static_cast<swap::Target&>(*this), static_cast<swap::SwapObserver&>(*this),
                                          options_, std::move(policy), std::move(in_force), retirement_);
  return coordinator_->Start(std::move(told));
}

void Swapping::Poke() {
  if (coordinator_ != nullptr) coordinator_->Poke();
}

void Swapping::Stop() {
  coordinator_.reset();
  retirement_.Stop();
}

void Swapping::OfferProfiles(std::shared_ptr<const framework::ProfileSet> profiles, engine::OfferEnd end) {
  daemon_.engine().OfferProfiles(std::move(profiles), std::move(end));
}

void Swapping::WithdrawOffer() { daemon_.engine().WithdrawOffer(); }

void Swapping::WatchNeededKinds(const framework::ProfileSet& profiles) { daemon_.WatchNeededKinds(profiles); }

void Swapping::Configure(const config::Configuration& configuration, const config::BerthConfiguration& berth) {
  log::SetVerbosity(berth.verbosity.value_or(verbosity_));
  const int64_t initial_ns = configuration.pod_initial_backoff_seconds * base::kSecond;
  const int64_t max_ns = configuration.pod_max_backoff_seconds * base::kSecond;
  engine::Engine& engine = daemon_.engine();
  engine.SetParallelism(static_cast<uint32_t>(configuration.parallelism));
  engine.Post(engine::Task([&engine, initial_ns, max_ns] { engine.queue().SetBackoff(initial_ns, max_ns); }));
}

void Swapping::OnSwap(const swap::Report& report, const framework::ProfileSet& in_force,
                      const config::Configuration& configuration) {
  Measure(report);
  if (auto event = SwapEvent(report, about_)) daemon_.RecordEvent(std::move(*event));
  const bool changed = report.result == swap::Result::kPublished || report.result == swap::Result::kRolledBack;
  if (changed) admin_.Show(in_force, configuration);
  admin_.SetDivergence(report.problems.empty()
                           ? (report.result == swap::Result::kRolledBack ? report.causes.front() : "")
                           : report.step + ": " + report.problems.front());
  switch (report.result) {
    case swap::Result::kPublished:
      log::Info("New generation of policy in force", {{"generation", report.generation},
                                                      {"changes", report.changes},
                                                      {"causes", report.causes},
                                                      {"steps", Milliseconds(report)}});
      return;
    case swap::Result::kUnchanged:
      log::V(2, "Files have changed, what they want has not", {{"causes", report.causes}});
      return;
    case swap::Result::kRolledBack:
      log::Error("Went back to the generation of policy before",
                 {{"generation", report.generation}, {"err", report.causes.front()}, {"changes", report.changes}});
      return;
    case swap::Result::kRefused:
      log::Error("Refused a change of policy, the generation in force decides on",
                 {{"generation", report.generation},
                  {"step", report.step},
                  {"err", base::Join(report.problems, "; ")},
                  {"causes", report.causes}});
      return;
  }
}

void Swapping::Measure(const swap::Report& report) {
  const metrics::Name total{"berth_swap_total", "[ALPHA] Attempts to bring a changed policy into force, by result."};
  registry_.MakeCounter(total, {{"result", kResults[static_cast<size_t>(report.result)]}}).Increment();
  const metrics::Name seconds{"berth_swap_duration_seconds", "[ALPHA] How long the steps of a swap took."};
  for (const auto& [step, took] : report.steps) {
    registry_.MakeHistogram(seconds, metrics::ExponentialBuckets(0.001, 2, 16), {{"step", step}})
        .Observe(Seconds(took));
  }
  const metrics::Name generation{"berth_policy_generation", "[ALPHA] The generation of policy in force."};
  registry_.MakeGauge(generation).Set(static_cast<double>(report.generation));
}

}  // namespace berth
