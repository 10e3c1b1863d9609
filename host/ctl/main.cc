// berthctl: simulate, config print|check, plugin list|inspect.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>

#include "ctl/command.h"
#include "log/log.h"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // `berthctl simulate | head` ends by a failed write, not by a signal
  berth::ctl::Context context;
  CLI::App app{"Berth without a cluster: ask what a configuration means and what a scheduler with it would decide.",
               "berthctl"};
  app.set_version_flag("--version", std::string("berthctl ") + BERTH_VERSION);
  app.add_option("-v,--v", context.verbosity, "log lines up to this verbosity are written to stderr")->take_last();
  app.add_option("--vmodule", context.vmodule, "verbosity per file: pattern=N,...")->take_last();
  app.require_subcommand(1);
  app.fallthrough();
  // Before any subcommand runs its callback.
  app.parse_complete_callback([&] {
    const auto done = berth::log::Init({"berthctl", context.verbosity, context.vmodule, false});
    if (!done) throw CLI::ValidationError("--vmodule", done.error().message);
  });
  berth::ctl::AddSimulateCommand(app, context);
  berth::ctl::AddConfigCommand(app, context);
  berth::ctl::AddPluginCommand(app, context);
  std::vector<std::string> arguments = berth::ctl::NormalizedArguments(argc, argv);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 1;
  }
  return context.exit_code;
}
