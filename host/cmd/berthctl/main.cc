// berthctl: simulate, why, policy diff, config print|check, plugin list|inspect.
#include <csignal>
#include <iostream>

#include "cmd/berthctl/commands.h"
#include "config/flags/arguments.h"
#include "config/flags/parser.h"
#include "telemetry/log/log.h"

int main(int argc, char** argv) {
  using namespace berth;
  std::signal(SIGPIPE, SIG_IGN);  // `berthctl simulate | head` ends with a failed write, not with a signal
  flags::Parser parser(
      "berthctl", "Tools for Berth: simulate scheduling without a cluster, check configurations, and inspect plugins.",
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
  ctl::AddWhyCommand(program);
  ctl::AddConfigCommand(program);
  ctl::AddPolicyCommand(program);
  ctl::AddPluginCommand(program);
  if (const auto code = parser.Parse(flags::Arguments(argc, argv), std::cout, std::cerr)) return *code;
  if (const auto done = log::Init(logging); !done) {
    std::cerr << "--vmodule: " << done.error().message << "\n";
    return 1;
  }
  return parser.Run();
}
