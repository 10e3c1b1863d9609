// The subcommands of berthctl. Each adds its flags to the parser and sets the exit code when it has run.
// Thread: main.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace berth::ctl {

// What all subcommands share. 0 = done, 1 = the answer is no or something went wrong.
struct Context {
  int exit_code = 0;
  int verbosity = 0;    // --v
  std::string vmodule;  // --vmodule
};

void AddConfigCommand(CLI::App& app, Context& context);
void AddPluginCommand(CLI::App& app, Context& context);
void AddSimulateCommand(CLI::App& app, Context& context);

// argv as kube-scheduler's flags allow it: `-v=4` as `--v=4`, `_` as `-` in long names. argv[0] is left out.
std::vector<std::string> NormalizedArguments(int argc, char** argv);

}  // namespace berth::ctl
