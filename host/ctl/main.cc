// berthctl: simulate, config print|check, plugin list|inspect.
#include <csignal>
#include <iostream>

#include "ctl/command.h"
#include "flags/arguments.h"
#include "flags/parser.h"
#include "log/log.h"

int main(int argc, char** argv) {
  using namespace berth;
  std::signal(SIGPIPE, SIG_IGN);  // `berthctl simulate | head` ends by a failed write, not by a signal
  flags::Parser parser(
      "berthctl", "Berth without a cluster: ask what a configuration means and what a scheduler with it would decide.",
      flags::Manner::kTool);
  parser.AnswerVersion(std::string("berthctl ") + BERTH_VERSION);
  log::Options logging{"berthctl", 0, "", false};
  flags::Command& program = parser.root();
  program.Add({.name = "v",
               .letter = 'v',
               .value = flags::Level(logging.verbosity),
               .help = "log lines up to this verbosity are written to stderr"});
  program.Add({.name = "vmodule", .value = flags::Text(logging.vmodule), .help = "verbosity per file: pattern=N,..."});
  ctl::AddSimulateCommand(program);
  ctl::AddConfigCommand(program);
  ctl::AddPluginCommand(program);
  if (const auto code = parser.Parse(flags::Arguments(argc, argv), std::cout, std::cerr)) return *code;
  if (const auto done = log::Init(logging); !done) {
    std::cerr << "--vmodule: " << done.error().message << "\n";
    return 1;
  }
  return parser.Run();
}
