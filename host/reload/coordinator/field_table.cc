#include "reload/coordinator/field_table.h"

#include <algorithm>

#include "base/clock.h"
#include "config/configuration/print.h"

namespace berth::reload {
namespace {

using config::LoadResult;
using framework::LiveSettings;

std::string BackoffText(const LoadResult& of) {
  return "backoff of " + std::to_string(of.scheduler.pod_initial_backoff_seconds) + " s to " +
         std::to_string(of.scheduler.pod_max_backoff_seconds) + " s";
}

void ApplyInitialBackoff(const LoadResult& from, LiveSettings& to) {
  to.pod_initial_backoff_ns = from.scheduler.pod_initial_backoff_seconds * base::kSecond;
}

void ApplyMaxBackoff(const LoadResult& from, LiveSettings& to) {
  to.pod_max_backoff_ns = from.scheduler.pod_max_backoff_seconds * base::kSecond;
}

void ApplyParallelism(const LoadResult& from, LiveSettings& to) {
  to.parallelism = static_cast<uint32_t>(from.scheduler.parallelism);
}
std::string ParallelismText(const LoadResult& of) { return "parallelism " + std::to_string(of.scheduler.parallelism); }

void ApplyVerbosity(const LoadResult& from, LiveSettings& to) {
  to.verbosity = from.berth.verbosity.value_or(to.verbosity);
}
std::string VerbosityText(const LoadResult& of) {
  return "verbosity " + (of.berth.verbosity ? std::to_string(*of.berth.verbosity) : "of -v");
}

constexpr Field kFields[] = {
    {"faults", Effect::kPolicy},
    {"percentageOfNodesToScore", Effect::kPolicy},
    {"plugins", Effect::kPolicy},
    {"profiles", Effect::kPolicy},
    {"security", Effect::kPolicy},
    {"podInitialBackoffSeconds", Effect::kLive, ApplyInitialBackoff, BackoffText},
    {"podMaxBackoffSeconds", Effect::kLive, ApplyMaxBackoff, BackoffText},
    {"parallelism", Effect::kLive, ApplyParallelism, ParallelismText},
    {"verbosity", Effect::kLive, ApplyVerbosity, VerbosityText},
    {"clientConnection", Effect::kRestart},
    {"decisions", Effect::kRestart},
    {"delayCacheUntilActive", Effect::kRestart},
    {"enableContentionProfiling", Effect::kRestart},
    {"enableProfiling", Effect::kRestart},
    {"extenders", Effect::kRestart},
    {"leaderElection", Effect::kRestart},
    {"leaderElection.onLoss", Effect::kRestart},
    {"seed", Effect::kRestart},
    {"tracing", Effect::kRestart},
};

// Secrets are compared as well, and only the names of fields are shown: another key is another configuration.
json::Value RestartValues(const LoadResult& of) {
  json::Value values = config::ValueV1(of.scheduler, config::Secrets::kShown);
  // The field of BerthConfiguration. KubeSchedulerConfiguration has a leaderElection, too.
  values.Set("leaderElection.onLoss", of.berth.leader_election.on_loss == config::OnLoss::kExit ? "exit" : "standby");
  values.Set("decisions", json::Value::MakeObject({{"attempts", int64_t{of.berth.decisions.attempts}},
                                                   {"memory", of.berth.decisions.memory_bytes},
                                                   {"detailedEvents", of.berth.decisions.detailed_events},
                                                   {"annotations", of.berth.decisions.annotations}}));
  if (const auto& tracing = of.berth.tracing) {
    values.Set("tracing", json::Value::MakeObject({{"endpoint", tracing->endpoint},
                                                   {"samplingRatePerMillion", tracing->sampling_rate_per_million}}));
  }
  if (of.berth.seed) values.Set("seed", *of.berth.seed);
  return values;
}

bool Differs(const json::Value* a, const json::Value* b) {
  return (a == nullptr) != (b == nullptr) || (a != nullptr && !(*a == *b));
}

}  // namespace

std::span<const Field> FieldTable() { return kFields; }

std::vector<std::string> NeedsRestart(const LoadResult& now, const LoadResult& wanted) {
  const json::Value before = RestartValues(now), after = RestartValues(wanted);
  std::vector<std::string> problems;
  for (const Field& field : kFields) {
    if (field.effect != Effect::kRestart || !Differs(before.Find(field.name), after.Find(field.name))) continue;
    problems.push_back(std::string(field.name) + ": changes only with a restart");
  }
  return problems;
}

LiveSettings SettingsOf(const LoadResult& configuration, int verbosity) {
  LiveSettings settings{.verbosity = verbosity};
  for (const Field& field : kFields) {
    if (field.apply != nullptr) field.apply(configuration, settings);
  }
  return settings;
}

std::vector<std::string> SettingChanges(const LoadResult& now, const LoadResult& wanted) {
  std::vector<std::string> changes;
  for (const Field& field : kFields) {
    if (field.text == nullptr) continue;
    std::string text = field.text(wanted);
    if (text == field.text(now) || std::find(changes.begin(), changes.end(), text) != changes.end()) continue;
    changes.push_back(std::move(text));
  }
  return changes;
}

}  // namespace berth::reload
