// berthctl: simulate, why, policy diff, config print|check, plugin list|inspect. With the name kubectl-berth it is a
// plugin of kubectl.
#include <csignal>
#include <filesystem>
#include <iostream>

#include "cmd/berthctl/commands.h"
#include "config/flags/arguments.h"
#include "config/flags/parser.h"
#include "telemetry/log/log.h"

namespace {

// kubectl calls the program kubectl-berth of PATH for `kubectl berth`.
bool IsKubectlPlugin(int argc, char** argv) {
  return argc > 0 && std::filesystem::path(argv[0]).filename() == "kubectl-berth";
}

}  // namespace

int main(int argc, char** argv) {
  using namespace berth;
  std::signal(SIGPIPE, SIG_IGN);  // `berthctl simulate | head` ends with a failed write, not with a signal
  const bool kubectl_plugin = IsKubectlPlugin(argc, argv);
  flags::Parser parser(
      kubectl_plugin ? "kubectl berth" : "berthctl",
      "Tools for Berth: simulate scheduling without a cluster, check configurations, and inspect plugins.",
      flags::Manner::kTool);
  parser.AnswerVersion(std::string("berthctl ") + BERTH_VERSION);
  log::Options logging{"berthctl", 0, "", false};
  flags::Command& program = parser.root();
  program.Add({.name = "v",
               .letter = 'v',
               .value = flags::Level(logging.verbosity),
               .help = "write log lines up to this verbosity to stderr"});
  program.Add({.name = "vmodule", .value = flags::Text(logging.vmodule), .help = "verbosity per file: pattern=N,..."});
  ctl::AddSimulateCommand(program);
  ctl::AddWhyCommand(program, kubectl_plugin);
  ctl::AddConfigCommand(program);
  ctl::AddPolicyCommand(program, kubectl_plugin);
  ctl::AddPluginCommand(program, kubectl_plugin);
  if (const auto code = parser.Parse(flags::Arguments(argc, argv), std::cout, std::cerr)) return *code;
  if (const auto done = log::Init(logging); !done) {
    std::cerr << "--vmodule: " << done.error().message << "\n";
    return 1;
  }
  return parser.Run();
}
