// berthctl policy diff.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

#include "cmd/berthctl/cluster_flags.h"
#include "cmd/berthctl/commands.h"
#include "cmd/berthctl/plugin_crash.h"
#include "cmd/berthctl/policy_diff/diff_report.h"
#include "cmd/berthctl/policy_diff/diff_sources.h"
#include "codec/text/harmless.h"

namespace berth::ctl {
namespace {

// As those of diff.
constexpr int kNothingMoves = 0, kSomethingMoves = 1, kError = 2;
constexpr std::chrono::seconds kLongestRequest{30};

struct DiffFlags {
  std::string config, berth_config, feature_gates, profile, running = "127.0.0.1:10261", log, old, output = "table";
  std::vector<std::string> plugin_directories, manifests;
  uint64_t limit = 100, seed = 1;
  ClusterFlags cluster;
};

int Refuse(const std::string& why) {
  std::cerr << "berthctl: " << text::HarmlessLines(why) << "\n";
  return kError;
}

// "": the flags go together.
std::string Conflict(const DiffFlags& flags, bool running) {
  if (flags.config.empty()) return "--config is required: the file of the new configuration";
  if (flags.limit < 1 || flags.limit > 1000)
    return "--limit: " + std::to_string(flags.limit) + " is not from 1 to 1000";
  const bool simulates = !flags.old.empty() || !flags.manifests.empty();
  if (simulates && (flags.old.empty() || flags.manifests.empty()))
    return "a simulation needs both --old and --filename";
  if (std::find(flags.manifests.begin(), flags.manifests.end(), "-") != flags.manifests.end()) {
    return "--filename: the manifests are read twice, so that they cannot come from standard input";
  }
  if (simulates && !flags.profile.empty()) return "--profile: a simulation compares the pods of all profiles";
  if (int{running} + int{!flags.log.empty()} + int{simulates} > 1) {
    return "use one of --running, --decision-log, and --old";
  }
  return "";
}

base::Result<DiffResult> Simulated(const DiffFlags& flags, const config::FeatureGates& gates) {
  NamePluginCrashes();
  simulation::RunOptions before{.config = flags.old,
                                .berth_config = flags.berth_config,
                                .gates = gates,
                                .plugin_directories = flags.plugin_directories,
                                .manifests = flags.manifests,
                                .seed = flags.seed};
  simulation::RunOptions after = before;
  after.config = flags.config;
  return DiffOfSimulations(before, after, std::cerr);
}

base::Result<AdminConnection> SchedulerOf(const DiffFlags& flags, bool in_cluster) {
  if (!in_cluster) return ConnectTo(flags.running, kLongestRequest);
  auto connection = ConnectToCluster(flags.cluster.options, kLongestRequest);
  if (!connection) return tl::unexpected(connection.error());
  return std::move(connection->scheduler);
}

base::Result<DiffResult> Recorded(const DiffFlags& flags, const config::FeatureGates& gates, bool in_cluster) {
  const assembly::Policy after =
      LoadPolicyFiles({flags.config, flags.berth_config, flags.plugin_directories, gates}, std::cerr);
  if (!after.ok()) return base::Fail(flags.config + " is not valid");
  const RecordsQuestion question{flags.profile, flags.limit};
  if (!flags.log.empty()) return DiffOfLog(flags.log, after, question);
  const auto scheduler = SchedulerOf(flags, in_cluster);
  if (!scheduler) return tl::unexpected(scheduler.error());
  return DiffOfRunning(*scheduler, after, question);
}

void PrintResult(const DiffFlags& flags, const DiffResult& result) {
  if (flags.output == "json") {
    json::Array diffs = result.diffs;
    std::cout << json::Dump(json::Value::MakeObject({{"apiVersion", "berth.dev/v1alpha1"},
                                                     {"kind", "PolicyDiffList"},
                                                     {"items", json::Value(std::move(diffs))}}),
                            2)
              << "\n";
  } else {
    for (size_t i = 0; i < result.diffs.size(); ++i) {
      if (i != 0) std::cout << "\n";
      PrintDiff(std::cout, result.diffs[i]);
    }
  }
  std::cout.flush();
  for (const std::string& notice : result.notices) std::cerr << "notice: " << text::Harmless(notice) << "\n";
}

int Run(const flags::Command& command, const DiffFlags& flags) {
  const std::string conflict = Conflict(flags, command.Changed("running"));
  if (!conflict.empty()) return Refuse(conflict);
  const auto in_cluster = AsksCluster(command, flags.cluster, {"running", "decision-log", "old"});
  if (!in_cluster) return Refuse(in_cluster.error().message);
  config::FeatureGates gates;
  const std::vector<std::string> wrong = gates.Set(flags.feature_gates);
  if (!wrong.empty()) return Refuse("--feature-gates: " + wrong[0]);
  const auto result = flags.old.empty() ? Recorded(flags, gates, *in_cluster) : Simulated(flags, gates);
  if (!result) return Refuse(result.error().message);
  PrintResult(flags, *result);
  bool looked = false, moves = false;
  for (const json::Value& diff : result->diffs) {
    looked = looked || LooksAtSomething(diff);
    moves = moves || MayMove(diff);
  }
  if (!looked) {
    return Refuse(flags.old.empty() ? "no decision has its nodes recorded, so that nothing is known"
                                    : "the manifests have no pod to schedule");
  }
  return moves ? kSomethingMoves : kNothingMoves;
}

void AddSources(flags::Command& command, DiffFlags& options) {
  command.Add({.name = "running",
               .value = flags::Text(options.running),
               .help = "compare with the last decisions of the berth-scheduler at this --admin-address"});
  command.Add({.name = "decision-log",
               .value = flags::Text(options.log),
               .help = "look at the last decisions of this file instead"});
  command.Add({.name = "old",
               .value = flags::Text(options.old),
               .help = "the old configuration: simulate the manifests of --filename with it and with --config"});
  command.Add({.name = "filename",
               .letter = 'f',
               .value = flags::Repeated(options.manifests, flags::Takes::kMany),
               .help = "with --old: manifest or directory; repeatable"});
  command.Add({.name = "seed",
               .value = flags::Uint64(options.seed),
               .help = "with --old: random seed for ties and for plugins"});
}

}  // namespace

void AddPolicyCommand(flags::Command& program, bool kubectl_plugin) {
  auto options = std::make_shared<DiffFlags>();
  options->cluster.kubectl = kubectl_plugin;
  flags::Command& policy = program.AddSubcommand("policy", "compare policies");
  flags::Command& command = policy.AddSubcommand("diff",
                                                 "show which pods a new configuration would move; exit code 0: none, "
                                                 "1: some, or a decision is not exact, 2: error");
  command.Add({.name = "config", .value = flags::Text(options->config), .help = "the new configuration"});
  command.Add({.name = "berth-config",
               .value = flags::Text(options->berth_config),
               .help = "BerthConfiguration, if it is not in the same file"});
  command.Add({.name = "feature-gates", .value = flags::Text(options->feature_gates), .help = "Name=true|false,..."});
  command.Add({.name = "plugin-dir",
               .value = flags::Repeated(options->plugin_directories, flags::Takes::kMany),
               .help = "directory of plugin libraries; repeatable"});
  command.Add({.name = "profile", .value = flags::Text(options->profile), .help = "compare only this profile"});
  AddSources(command, *options);
  command.Add({.name = "limit",
               .value = flags::Uint64(options->limit),
               .help = "how many decisions of each profile to look at, 1 to 1000"});
  command.Add({.name = "output",
               .letter = 'o',
               .value = flags::Choice(options->output, {"table", "json"}),
               .help = "table or json"});
  command.SetMistakeCode(kError);
  AddClusterFlags(command, options->cluster);
  command.OnRun([options, &command] { return Run(command, *options); });
}

}  // namespace berth::ctl
