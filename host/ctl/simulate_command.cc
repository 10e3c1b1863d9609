// berthctl simulate.
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "ctl/command.h"
#include "simulate/run.h"

namespace berth::ctl {
namespace {

size_t TerminalWidth() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 40) return 100;
  return size.ws_col;
}

struct Flags {
  simulate::RunOptions run;
  std::string feature_gates, output = "table", nodes = "all";
};

int Run(Flags& flags) {
  const std::vector<std::string> wrong = flags.run.gates.Set(flags.feature_gates);
  for (const std::string& w : wrong) std::cerr << "--feature-gates: " << w << "\n";
  for (const std::string& w : flags.run.gates.Warnings()) std::cerr << "warning: " << w << "\n";
  if (!wrong.empty()) return 1;
  flags.run.json = flags.output == "json";
  flags.run.json_nodes = flags.nodes == "all";
  if (flags.run.json && !flags.run.explain_pod.empty()) {
    std::cerr << "--explain prints text: use it with -o table; -o json has every node already\n";
    return 1;
  }
  flags.run.color = isatty(STDOUT_FILENO) == 1;
  flags.run.width = flags.run.color ? TerminalWidth() : 100;
  return simulate::RunSimulation(flags.run, std::cout, std::cerr);
}

}  // namespace

void AddSimulateCommand(CLI::App& app, Context& context) {
  std::ios::sync_with_stdio(false);
  auto flags = std::make_shared<Flags>();
  CLI::App* command = app.add_subcommand("simulate", "decide the pods of manifests as a scheduler would, in no time");
  simulate::RunOptions& run = flags->run;
  command
      ->add_option("--config", run.config,
                   "KubeSchedulerConfiguration, v1, v1beta3 or v1beta2; none: the default profile")
      ->take_last();
  command->add_option("--berth-config", run.berth_config, "BerthConfiguration, when it is not in the same file")
      ->take_last();
  command->add_option("--feature-gates", flags->feature_gates, "Name=true|false,...")->take_last();
  command->add_option("--plugin-dir", run.plugin_directories, "directory of plugin libraries; repeatable")->take_all();
  command->add_option("-f,--filename", run.manifests, "manifest, directory, or - for standard input; repeatable")
      ->required()
      ->take_all();
  command->add_option("--step", run.steps, "manifest applied once all is quiet; repeatable")->take_all();
  command->add_option("--explain", run.explain_pod, "[namespace/]pod whose attempts are told node by node")
      ->take_last();
  command->add_option("--seed", run.seed, "of ties and of plugins that draw random numbers")
      ->check(CLI::NonNegativeNumber)
      ->take_last();
  command->add_option("-o,--output", flags->output, "table or json")
      ->check(CLI::IsMember({"table", "json"}))
      ->take_last();
  command->add_option("--nodes", flags->nodes, "with -o json: all or none of the nodes of each attempt")
      ->check(CLI::IsMember({"all", "none"}))
      ->take_last();
  command->add_flag("--check", run.check, "recompute the scheduler's state after every step and compare");
  command->callback([flags, &context] { context.exit_code = Run(*flags); });
}

}  // namespace berth::ctl
