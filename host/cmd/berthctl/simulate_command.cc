// berthctl simulate.
#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "cmd/berthctl/commands.h"
#include "cmd/berthctl/plugin_crash.h"
#include "cmd/berthctl/serve/page_server.h"
#include "cmd/berthctl/simulation_pages.h"
#include "simulator/simulation/run.h"

namespace berth::ctl {
namespace {

size_t TerminalWidth() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40) return 100;
  return size.ws_col;
}

struct Flags {
  simulation::RunOptions run;
  std::string feature_gates, output = "table", nodes = "all", serve;
};

int Run(Flags& flags) {
  const std::vector<std::string> wrong = flags.run.gates.Set(flags.feature_gates);
  for (const std::string& w : wrong) std::cerr << "--feature-gates: " << w << "\n";
  for (const std::string& w : flags.run.gates.Warnings()) std::cerr << "warning: " << w << "\n";
  if (!wrong.empty()) return 1;
  flags.run.json = flags.output == "json";
  flags.run.json_nodes = flags.nodes == "all";
  if (flags.run.json && !flags.run.explain_pod.empty()) {
    std::cerr << "--explain prints text: use it with -o table; -o json always contains every node\n";
    return 1;
  }
  if (!flags.serve.empty()) {
    flags.run.then = [&](simulation::Simulation& simulation, api::InternTables& intern,
                         const assembly::Policy& policy) {
      return ServeSimulation(flags.serve, {simulation.engine(), intern, policy.config.scheduler}, std::cerr);
    };
  }
  flags.run.color = isatty(STDOUT_FILENO) == 1;
  NamePluginCrashes();
  flags.run.width = flags.run.color ? TerminalWidth() : 100;
  return simulation::RunSimulation(flags.run, std::cout, std::cerr);
}

}  // namespace

void AddSimulateCommand(flags::Command& program) {
  using flags::Repeated;
  using flags::Takes;
  using flags::Text;
  std::ios::sync_with_stdio(false);
  auto options = std::make_shared<Flags>();
  simulation::RunOptions& run = options->run;
  flags::Command& command =
      program.AddSubcommand("simulate", "schedule the pods of manifests without a cluster, in virtual time");
  command.Add({.name = "config",
               .value = Text(run.config),
               .help = "KubeSchedulerConfiguration, v1, v1beta3, or v1beta2; if not set: the default profile"});
  command.Add({.name = "berth-config",
               .value = Text(run.berth_config),
               .help = "BerthConfiguration, if it is not in the same file"});
  command.Add({.name = "feature-gates", .value = Text(options->feature_gates), .help = "Name=true|false,..."});
  command.Add({.name = "plugin-dir",
               .value = Repeated(run.plugin_directories, Takes::kMany),
               .help = "directory of plugin libraries; repeatable"});
  command.Add({.name = "filename",
               .letter = 'f',
               .value = Repeated(run.manifests, Takes::kMany),
               .help = "manifest, directory, or - for standard input; repeatable",
               .required = true});
  command.Add({.name = "step",
               .value = Repeated(run.steps, Takes::kMany),
               .help = "manifest to apply when no pod can make progress; repeatable"});
  command.Add({.name = "explain",
               .value = Text(run.explain_pod),
               .help = "[namespace/]pod whose attempts to explain node by node"});
  command.Add({.name = "decision-log",
               .value = Text(run.decision_log),
               .help = "file to write every decision to, for berthctl why --decision-log"});
  command.Add({.name = "suggest",
               .value = flags::Bool(run.suggest),
               .help = "at the end, look for changes of each pending pod after which it fits"});
  command.Add(ServeFlag(options->serve, "serve the page of decisions and its API afterwards"));
  command.Add({.name = "seed", .value = flags::Uint64(run.seed), .help = "random seed for ties and for plugins"});
  command.Add({.name = "output",
               .letter = 'o',
               .value = flags::Choice(options->output, {"table", "json"}),
               .help = "table or json"});
  command.Add({.name = "nodes",
               .value = flags::Choice(options->nodes, {"all", "none"}),
               .help = "with -o json: print all or none of the nodes of each attempt"});
  command.Add({.name = "check",
               .value = flags::Bool(run.check),
               .help = "recompute the scheduler's state after every step and compare it"});
  command.OnRun([options] { return Run(*options); });
}

}  // namespace berth::ctl
