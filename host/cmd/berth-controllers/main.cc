// berth-controllers: parses the command line, and runs the controllers until their end.
#include <iostream>

#include "cluster/process/log_options.h"
#include "cluster/process/run_program.h"
#include "cmd/berth-controllers/controller_options.h"
#include "cmd/berth-controllers/run_controllers.h"
#include "config/configuration/feature_gates.h"
#include "config/flags/arguments.h"
#include "config/options/validate_options.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

int Mistake(const std::string& what) {
  std::cerr << "Error: " << what << "\n";
  return 1;
}

int Main(int argc, char** argv, const process::Start& start) {
  ControllerOptions options;
  if (const auto code = ParseControllerOptions(flags::Arguments(argc, argv), options, std::cout, std::cerr)) {
    return *code;
  }
  if (const auto wrong = options::LoggingErrors(options.logging, config::FeatureGates()); !wrong.empty()) {
    return Mistake(options::Aggregate(wrong));
  }
  const auto logging = log::Init(process::LogOptionsOf("berth-controllers", options.logging));
  if (!logging) return Mistake("--vmodule: " + logging.error().message);
  options::LogFlags(options.parsed.states, options.parsed.unserved);
  if (const auto wrong = Mistakes(options); !wrong.empty()) {
    log::Error("command failed", {{"err", options::Aggregate(wrong)}});
    return 1;
  }
  log::WriteInBackground();
  return RunControllers(options, start);
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  berth::process::RunProgram([&](const berth::process::Start& start) { return berth::Main(argc, argv, start); });
}
