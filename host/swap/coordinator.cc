#include "swap/coordinator.h"

#include <algorithm>

#include "assembly/library_catalog.h"
#include "assembly/sources.h"
#include "log/log.h"
#include "swap/barred.h"
#include "swap/changes.h"
#include "swap/restart.h"

namespace berth::swap {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWatchOverEvery = std::chrono::milliseconds(500);
constexpr auto kLookEvery = std::chrono::milliseconds(300);            // while an offer waits
constexpr auto kPatienceWithThread = std::chrono::milliseconds(5000);  // until it has taken an offer back

// The answer to one offer, which may come after everybody has stopped waiting for it.
struct Answer {
  std::mutex mutex;
  std::condition_variable_any came;
  std::optional<base::Result<void>> result;  // under mutex
  void Set(base::Result<void> value) {
    std::lock_guard lock(mutex);
    result = std::move(value);
    came.notify_all();
  }
  bool WaitUntil(Clock::time_point when) {
    std::unique_lock lock(mutex);
    return came.wait_until(lock, when, [&] { return result.has_value(); });
  }
};

std::string Seconds(std::chrono::milliseconds time) {
  return std::to_string(time.count() / 1000) + "." + std::to_string(time.count() % 1000 / 100) + " s";
}

}  // namespace

struct Coordinator::Attempt {
  std::vector<config::Source> sources;
  std::unique_ptr<assembly::Policy> policy;
  std::shared_ptr<framework::ProfileSet> profiles;
  Report report{};
  bool anew = false;  // framework::ProfileSpec::anew
  Clock::time_point step_began = Clock::now();

  void EndStep(const char* name) {
    const Clock::time_point now = Clock::now();
    report.steps.emplace_back(name, now - step_began);
    step_began = now;
  }
  bool Fail(const char* step, std::vector<std::string> problems) {
    EndStep(step);
    report.step = step;
    report.problems = std::move(problems);
    return false;
  }
};

Coordinator::Coordinator(Target& target, SwapObserver& observer, CoordinatorOptions options,
                         std::unique_ptr<assembly::Policy> effective,
                         std::shared_ptr<const framework::ProfileSet> in_force, Retirement& retirement)
    : target_(target),
      observer_(observer),
      options_(std::move(options)),
      retirement_(retirement),
      effective_(std::move(effective)),
      in_force_(std::move(in_force)) {}

WatchedPaths Coordinator::PathsOf(const CoordinatorOptions& options, const config::BerthConfiguration& berth) {
  WatchedPaths paths;
  for (const std::string& file : {options.config, options.berth_config, options.quarantine}) {
    if (!file.empty()) paths.files.push_back(file);
  }
  for (const std::string& file : assembly::FilesBound(berth)) {
    paths.files.push_back(file);
    if (!berth.security.signature_keys.empty()) paths.files.push_back(file + ".sig");
  }
  paths.directories = assembly::OrDefault(options.policy.plugin_directories);
  return paths.Absolute();
}

base::Result<void> Coordinator::Start(Fingerprint told) {
  seen_ = told;
  watched_ = PathsOf(options_, effective_->config.berth);
  auto watcher = Watcher::Start(
      watched_, std::move(told), [this](const Fingerprint& now) { Changed(now); }, options_.watcher);
  if (!watcher) return tl::unexpected(watcher.error());
  watcher_ = std::move(*watcher);
  watching_over_ = std::jthread([this](const std::stop_token& stop) { Watch(stop); });
  return {};
}

void Coordinator::Stop() {
  stopping_.store(true, std::memory_order_release);
  watching_over_ = {};
  watcher_.reset();
}

void Coordinator::Poke() {
  {
    std::lock_guard lock(told_);
    again_ = !divergence_.empty();
  }
  if (watcher_ != nullptr) watcher_->Poke();
}

std::string Coordinator::Divergence() const {
  std::lock_guard lock(told_);
  return divergence_;
}

void Coordinator::Changed(const Fingerprint& now) {
  std::lock_guard one(swapping_);
  std::vector<std::string> causes = Differences(seen_, now);
  seen_ = now;
  TryAndTell(std::move(causes));
}

void Coordinator::TryAndTell(std::vector<std::string> causes) {
  const Report report = Try(std::move(causes));
  {
    std::lock_guard lock(told_);
    again_ = false;
  }
  Tell(report, report.problems.empty() ? "" : report.problems.front());
}

void Coordinator::Tell(const Report& report, std::string divergence) {
  {
    std::lock_guard lock(told_);
    divergence_ = std::move(divergence);
  }
  observer_.OnSwap(report, *in_force_, effective_->config.scheduler);
}

// Also of a configuration that was refused: the library it names by path may come later.
void Coordinator::WatchPathsOf(const config::BerthConfiguration& berth) {
  WatchedPaths paths = PathsOf(options_, berth);
  if (watcher_ == nullptr || paths == watched_) return;
  watched_ = paths;
  watcher_->Watch(paths);
}

Report Coordinator::Try(std::vector<std::string> causes) {
  Attempt attempt;
  attempt.report.causes = std::move(causes);
  if (!Read(attempt) || !TryInChild(attempt) || !Judge(attempt) || !Make(attempt))
    return Finish(attempt, Result::kRefused);
  if (attempt.report.changes.empty()) {
    effective_ = std::move(attempt.policy);
    return Finish(attempt, Result::kUnchanged);
  }
  if (!Publish(attempt)) return Finish(attempt, Result::kRefused);
  return Finish(attempt, Result::kPublished);
}

// What is wrong without a look at any library is told before a child is bothered.
bool Coordinator::Read(Attempt& attempt) {
  auto sources = assembly::ReadSources(options_.config, options_.berth_config);
  if (!sources) return attempt.Fail("config", {sources.error().message});
  attempt.sources = std::move(*sources);
  config::LoadOptions load;
  load.gates = options_.policy.gates;
  load.overlay = options_.policy.overlay;
  const config::LoadResult read = config::Load(attempt.sources, load);
  WatchPathsOf(read.berth);
  if (!read.ok()) return attempt.Fail("config", config::TextsOf(read.errors));
  attempt.EndStep("read");
  return true;
}

bool Coordinator::TryInChild(Attempt& attempt) {
  if (!options_.canary) return true;
  const auto survived = options_.canary(attempt.sources);
  if (!survived) return attempt.Fail("canary", {survived.error().message});
  attempt.EndStep("canary");
  return true;
}

bool Coordinator::Judge(Attempt& attempt) {
  attempt.policy =
      std::make_unique<assembly::Policy>(assembly::LoadPolicy(attempt.sources, options_.policy, target_.services()));
  if (!attempt.policy->ok()) return attempt.Fail("config", config::TextsOf(attempt.policy->config.errors));
  for (const config::Issue& warning : attempt.policy->config.warnings) log::Warning(warning.Text());
  std::vector<std::string> fixed = NeedsRestart(effective_->config.scheduler, attempt.policy->config.scheduler);
  for (std::string& field : NeedsRestart(effective_->config.berth, attempt.policy->config.berth)) {
    fixed.push_back(std::move(field));
  }
  if (!fixed.empty()) return attempt.Fail("restart", std::move(fixed));
  if (auto barred = NewlyBarred(*in_force_, attempt.policy->barred); !barred.empty())
    return attempt.Fail("quarantine", std::move(barred));
  attempt.EndStep("config");
  return true;
}

bool Coordinator::Make(Attempt& attempt) {
  auto profiles = assembly::BuildProfiles(*attempt.policy, target_.services(), in_force_.get(), attempt.anew);
  if (!profiles) return attempt.Fail("load", {profiles.error().message});
  attempt.profiles = std::move(*profiles);
  attempt.report.changes = ChangesBetween(*in_force_, *attempt.profiles);
  const config::Configuration &now = effective_->config.scheduler, &wanted = attempt.policy->config.scheduler;
  if (now.pod_initial_backoff_seconds != wanted.pod_initial_backoff_seconds ||
      now.pod_max_backoff_seconds != wanted.pod_max_backoff_seconds) {
    attempt.report.changes.push_back("backoff of " + std::to_string(wanted.pod_initial_backoff_seconds) + " s to " +
                                     std::to_string(wanted.pod_max_backoff_seconds) + " s");
  }
  if (now.parallelism != wanted.parallelism) {
    attempt.report.changes.push_back("parallelism " + std::to_string(wanted.parallelism));
  }
  if (const auto& verbosity = attempt.policy->config.berth.verbosity; verbosity != effective_->config.berth.verbosity) {
    attempt.report.changes.push_back("verbosity " + (verbosity ? std::to_string(*verbosity) : "of -v"));
  }
  attempt.EndStep("load");
  return true;
}

bool Coordinator::Publish(Attempt& attempt) {
  const auto next = retirement_.Wrap(std::move(attempt.profiles));
  target_.WatchNeededKinds(*next);
  const auto answer = std::make_shared<Answer>();
  target_.OfferProfiles(next, [answer](base::Result<void> result) { answer->Set(std::move(result)); });
  std::string given_up;
  for (const auto until = Clock::now() + options_.publish_patience;
       given_up.empty() && !answer->WaitUntil(std::min(until, Clock::now() + kLookEvery));) {
    given_up = Clock::now() < until ? WhyNotWait() : "not in force after " + Seconds(options_.publish_patience);
  }
  if (!given_up.empty()) {
    target_.WithdrawOffer();
    // It may just have come into force.
    answer->WaitUntil(Clock::now() + (stopping_ ? kLookEvery : kPatienceWithThread));
  }
  std::lock_guard lock(answer->mutex);
  if (!answer->result) return attempt.Fail("publish", {given_up + "; the scheduling thread does not answer"});
  if (!*answer->result) {
    return attempt.Fail("publish", {given_up.empty() ? answer->result->error().message : given_up});
  }
  attempt.EndStep("publish");
  const std::shared_ptr<const framework::ProfileSet> before = std::exchange(in_force_, next);
  target_.Configure(attempt.policy->config.scheduler, attempt.policy->config.berth);
  previous_ = std::exchange(effective_, std::move(attempt.policy));
  BeginProbation(*before);
  return true;
}

// Why an offer that waits, for lists or for open attempts, is to be given up; "" = it is not.
std::string Coordinator::WhyNotWait() {
  if (stopping_.load(std::memory_order_acquire)) return "the scheduler ends";
  return looks_.TakeNow(watched_) == seen_ ? "" : "the files have changed again";
}

Report Coordinator::Finish(Attempt& attempt, Result result) {
  Report& report = attempt.report;
  report.result = result;
  report.generation = in_force_->generation;
  return std::move(report);
}

// ---- after a swap ----

void Coordinator::BeginProbation(const framework::ProfileSet& before) {
  probation_.clear();
  probation_ends_ = Clock::now() + options_.probation;
  for (const auto& profile : in_force_->profiles) {
    const framework::Profile* old = before.Find(profile->scheduler_name_id());
    for (const auto& instance : profile->instances()) {
      if (old == nullptr || !old->Has(instance.get())) probation_.push_back(instance);
    }
  }
}

void Coordinator::Watch(const std::stop_token& stop) {
  std::unique_lock pause(pause_);
  while (!paused_.wait_for(pause, stop, kWatchOverEvery, [&] { return stop.stop_requested(); })) {
    std::unique_lock one(swapping_, std::try_to_lock);
    if (!one) continue;
    if (AskedAgain()) TryAndTell({"asked to look again"});
    if (probation_.empty()) continue;
    const std::string failing = Failing();
    if (!failing.empty()) {
      RollBack(failing);
    } else if (Clock::now() > probation_ends_) {
      probation_.clear();
      previous_.reset();
    }
    if (stop.stop_requested()) return;
  }
}

bool Coordinator::AskedAgain() const {
  std::lock_guard lock(told_);
  return again_;
}

std::string Coordinator::Failing() const {
  for (const std::weak_ptr<plugin::Instance>& one : probation_) {
    const auto instance = one.lock();
    if (instance == nullptr) continue;
    const uint64_t faults = instance->faults();  // it had none before it came into force
    if (instance->quarantined() || faults > options_.most_faults) {
      return "plugin " + instance->name() + " of profile " + instance->profile() + " failed " + std::to_string(faults) +
             " times since generation " + std::to_string(in_force_->generation) + " came into force";
    }
  }
  return {};
}

// The bytes of the generation before are mapped still: its instances are made anew, whatever the files say now, and not
// by those that failed.
void Coordinator::RollBack(const std::string& why) {
  probation_.clear();
  if (previous_ == nullptr) return;
  Attempt attempt;
  attempt.report.causes = {why};
  attempt.anew = true;
  attempt.policy = std::move(previous_);
  const bool back = Make(attempt) && Publish(attempt);
  previous_.reset();
  probation_.clear();
  Tell(Finish(attempt, back ? Result::kRolledBack : Result::kRefused),
       why + (back ? "; the generation before decides again" : ""));
}

}  // namespace berth::swap
