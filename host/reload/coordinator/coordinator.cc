#include "reload/coordinator/coordinator.h"

#include <algorithm>
#include <condition_variable>

#include "policy/assembly/config_files.h"
#include "policy/assembly/library_catalog.h"
#include "reload/coordinator/field_table.h"
#include "reload/coordinator/newly_quarantined.h"
#include "reload/coordinator/policy_changes.h"
#include "telemetry/log/log.h"

namespace berth::reload {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kWatchOverEvery = std::chrono::milliseconds(500);
constexpr auto kLookEvery = std::chrono::milliseconds(300);         // while a candidate waits
constexpr auto kWithdrawTimeout = std::chrono::milliseconds(5000);  // to withdraw a candidate

// The answer to one candidate. It may come after the coordinator has stopped waiting for it.
struct Answer {
  base::Mutex mutex;
  std::condition_variable_any came;
  std::optional<base::Result<void>> result GUARDED_BY(mutex);
  void Set(base::Result<void> value) {
    base::MutexLock lock(mutex);
    result = std::move(value);
    came.notify_all();
  }
  bool WaitUntil(Clock::time_point when) {
    base::MutexLock lock(mutex);
    return came.wait_until(lock, when, [this]() REQUIRES(mutex) { return result.has_value(); });
  }
};

std::string Seconds(std::chrono::milliseconds time) {
  return std::to_string(time.count() / 1000) + "." + std::to_string(time.count() % 1000 / 100) + " s";
}

}  // namespace

struct Coordinator::Attempt {
  assembly::ParsedConfig parsed;
  std::unique_ptr<assembly::Policy> policy;
  std::shared_ptr<framework::ProfileSet> profiles;
  Report report{};
  bool recreate = false;  // framework::ProfileSpec::recreate_faulty
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
                         std::shared_ptr<const framework::ProfileSet> active, Retirement& retirement)
    : target_(target),
      observer_(observer),
      options_(std::move(options)),
      retirement_(retirement),
      effective_(std::move(effective)),
      active_(std::move(active)) {}

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

void Coordinator::Start(Fingerprint seen) {
  base::MutexLock one(changing_);  // a change that the watcher finds waits until Start has ended
  seen_ = seen;
  watched_ = PathsOf(options_, effective_->config.berth);
  auto watcher = std::make_unique<Watcher>(
      watched_, std::move(seen), [this](const Fingerprint& now) { Changed(now); }, options_.watcher);
  {
    base::MutexLock lock(state_mutex_);
    watcher_ = std::move(watcher);
  }
  watching_over_.emplace(
      "probation", kWatchOverEvery, [this] { return HasToWatch(); }, [this] { Watch(); });
}

void Coordinator::Stop() {
  stopping_.store(true, std::memory_order_release);
  watching_over_.reset();
  std::unique_ptr<Watcher> watcher;  // destroyed without the lock: it waits for a change under way
  base::MutexLock lock(state_mutex_);
  watcher.swap(watcher_);
}

void Coordinator::Poke() {
  base::MutexLock lock(state_mutex_);
  again_ = !divergence_.empty();
  if (watcher_ != nullptr) watcher_->Poke();
}

std::string Coordinator::Divergence() const {
  base::MutexLock lock(state_mutex_);
  return divergence_;
}

void Coordinator::Changed(const Fingerprint& now) {
  base::MutexLock one(changing_);
  std::vector<std::string> causes = Differences(seen_, now);
  seen_ = now;
  TryAndReport(std::move(causes));
}

void Coordinator::TryAndReport(std::vector<std::string> causes) {
  const Report report = Try(std::move(causes));
  {
    base::MutexLock lock(state_mutex_);
    again_ = false;
  }
  ReportEnd(report, report.problems.empty() ? "" : report.problems.front());
}

void Coordinator::ReportEnd(const Report& report, std::string divergence) {
  {
    base::MutexLock lock(state_mutex_);
    divergence_ = std::move(divergence);
  }
  observer_.OnSwap(report, *active_, effective_->config.scheduler);
}

// Also for a rejected configuration: a library that it names by its path may appear later.
void Coordinator::WatchPathsOf(const config::BerthConfiguration& berth) {
  WatchedPaths paths = PathsOf(options_, berth);
  base::MutexLock lock(state_mutex_);
  if (watcher_ == nullptr || paths == watched_) return;
  watched_ = paths;
  watcher_->Watch(paths);
}

Report Coordinator::Try(std::vector<std::string> causes) {
  Attempt attempt;
  attempt.report.causes = std::move(causes);
  if (!Read(attempt) || !TryInChild(attempt) || !Validate(attempt) || !Make(attempt))
    return Finish(attempt, Result::kRejected);
  if (attempt.report.changes.empty()) {
    effective_ = std::move(attempt.policy);
    return Finish(attempt, Result::kUnchanged);
  }
  if (!Publish(attempt)) return Finish(attempt, Result::kRejected);
  return Finish(attempt, Result::kPublished);
}

// Mistakes that can be found without a library are reported before a child process starts.
bool Coordinator::Read(Attempt& attempt) {
  auto sources = assembly::ReadSources(options_.config, options_.berth_config);
  if (!sources) return attempt.Fail("config", {sources.error().message});
  attempt.parsed = assembly::ParseConfig(*sources, options_.policy);
  WatchPathsOf(attempt.parsed.result.berth);
  if (!attempt.parsed.ok()) return attempt.Fail("config", fields::TextsOf(attempt.parsed.result.errors));
  attempt.EndStep("read");
  return true;
}

bool Coordinator::TryInChild(Attempt& attempt) {
  if (!options_.canary) return true;
  const auto survived = options_.canary(attempt.parsed);
  if (!survived) return attempt.Fail("canary", {survived.error().message});
  attempt.EndStep("canary");
  return true;
}

bool Coordinator::Validate(Attempt& attempt) {
  attempt.policy =
      std::make_unique<assembly::Policy>(assembly::BuildPolicy(attempt.parsed, options_.policy, target_.services()));
  if (!attempt.policy->ok()) return attempt.Fail("config", fields::TextsOf(attempt.policy->config.errors));
  for (const fields::Issue& warning : attempt.policy->config.warnings) log::Warning(warning.Text());
  if (auto fixed = NeedsRestart(effective_->config, attempt.policy->config); !fixed.empty())
    return attempt.Fail("restart", std::move(fixed));
  if (auto lost = NewlyQuarantined(*active_, attempt.policy->quarantined); !lost.empty())
    return attempt.Fail("quarantine", std::move(lost));
  attempt.EndStep("config");
  return true;
}

bool Coordinator::Make(Attempt& attempt) {
  auto profiles = assembly::BuildProfiles(*attempt.policy, target_.services(), active_.get(), attempt.recreate);
  if (!profiles) return attempt.Fail("load", {profiles.error().message});
  attempt.profiles = std::move(*profiles);
  attempt.profiles->settings = SettingsOf(attempt.policy->config, options_.verbosity);
  attempt.report.changes = ChangesBetween(*active_, *attempt.profiles);
  for (std::string& change : SettingChanges(effective_->config, attempt.policy->config)) {
    attempt.report.changes.push_back(std::move(change));
  }
  attempt.EndStep("load");
  return true;
}

bool Coordinator::Publish(Attempt& attempt) {
  const auto next = retirement_.Wrap(std::move(attempt.profiles));
  target_.WatchNeededKinds(*next);
  const auto answer = std::make_shared<Answer>();
  target_.SubmitCandidate(next, [answer](base::Result<void> result) { answer->Set(std::move(result)); });
  std::string given_up;
  for (const auto until = Clock::now() + options_.publish_timeout;
       given_up.empty() && !answer->WaitUntil(std::min(until, Clock::now() + kLookEvery));) {
    given_up = Clock::now() < until ? WhyNotWait() : "not published after " + Seconds(options_.publish_timeout);
  }
  if (!given_up.empty()) {
    target_.WithdrawCandidate();
    // The scheduling thread may be publishing it now.
    answer->WaitUntil(Clock::now() + (stopping_ ? kLookEvery : kWithdrawTimeout));
  }
  base::MutexLock lock(answer->mutex);
  if (!answer->result) return attempt.Fail("publish", {given_up + "; the scheduling thread does not answer"});
  if (!*answer->result) {
    return attempt.Fail("publish", {given_up.empty() ? answer->result->error().message : given_up});
  }
  attempt.EndStep("publish");
  const std::shared_ptr<const framework::ProfileSet> before = std::exchange(active_, next);
  previous_ = std::exchange(effective_, std::move(attempt.policy));
  BeginProbation(*before);
  return true;
}

// Why to withdraw a candidate that waits for lists or for open attempts; "" = keep waiting.
std::string Coordinator::WhyNotWait() {
  if (stopping_.load(std::memory_order_acquire)) return "the scheduler ends";
  return looks_.TakeNow(watched_) == seen_ ? "" : "the files have changed again";
}

Report Coordinator::Finish(Attempt& attempt, Result result) {
  Report& report = attempt.report;
  report.result = result;
  report.generation = active_->generation;
  return std::move(report);
}

// ---- after a publication ----

void Coordinator::BeginProbation(const framework::ProfileSet& before) {
  probation_.clear();
  probation_ends_ = Clock::now() + options_.probation;
  for (const auto& profile : active_->profiles) {
    const framework::Profile* old = before.Find(profile->scheduler_name_id());
    for (const auto& instance : profile->instances()) {
      if (old == nullptr || !old->Has(instance.get())) probation_.push_back(instance);
    }
  }
}

bool Coordinator::HasToWatch() {
  if (!changing_.try_lock()) return false;
  const base::MutexLock one(changing_, std::adopt_lock);
  return AskedAgain() || !probation_.empty();
}

// Not on the housekeeping thread: besides the changes, the end of the last reference to an instance takes time.
void Coordinator::Watch() {
  if (!changing_.try_lock()) return;
  const base::MutexLock one(changing_, std::adopt_lock);
  if (AskedAgain()) TryAndReport({"asked to check the files again"});
  if (probation_.empty()) return;
  const std::string failing = Failing();
  if (!failing.empty()) {
    RollBack(failing);
  } else if (Clock::now() > probation_ends_) {
    probation_.clear();
    previous_.reset();
  }
}

bool Coordinator::AskedAgain() const {
  base::MutexLock lock(state_mutex_);
  return again_;
}

std::string Coordinator::Failing() const {
  for (const std::weak_ptr<plugin::Instance>& one : probation_) {
    const auto instance = one.lock();
    if (instance == nullptr) continue;
    const uint64_t faults = instance->faults();  // it had none before the publication
    if (instance->quarantined() || faults > options_.most_faults) {
      return "plugin " + instance->name() + " of profile " + instance->profile() + " failed " + std::to_string(faults) +
             " times since generation " + std::to_string(active_->generation) + " was published";
    }
  }
  return {};
}

// The libraries of the previous policy are still mapped: its instances are created again from them, whatever the files
// contain now, and the failed instances prepare none of them.
void Coordinator::RollBack(const std::string& why) {
  probation_.clear();
  if (previous_ == nullptr) return;
  Attempt attempt;
  attempt.report.causes = {why};
  attempt.recreate = true;
  attempt.policy = std::move(previous_);
  const bool back = Make(attempt) && Publish(attempt);
  previous_.reset();
  probation_.clear();
  ReportEnd(Finish(attempt, back ? Result::kRolledBack : Result::kRejected),
            why + (back ? "; the previous policy is active again" : ""));
}

}  // namespace berth::reload
