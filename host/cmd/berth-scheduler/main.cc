// berth-scheduler: parses the command line, and runs the scheduler until its end.
#include <unistd.h>

#include <iostream>

#include "cluster/process/log_options.h"
#include "cluster/process/run_program.h"
#include "cmd/berth-scheduler/canary_setup.h"
#include "cmd/berth-scheduler/scheduler.h"
#include "config/options/parse.h"
#include "config/options/validate_options.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

int Mistake(const std::string& what) {
  std::cerr << "Error: " << what << "\n";
  return 1;
}

int Main(int argc, char** argv, const process::Start& start) {
  options::SchedulerOptions options;
  if (const auto code = options::ParseOptions(argc, argv, BERTH_VERSION, options, std::cout, std::cerr)) return *code;
  config::FeatureGates gates;
  if (const auto wrong = gates.Set(options.feature_gates); !wrong.empty()) return Mistake(options::Aggregate(wrong));
  if (const auto wrong = options::LoggingErrors(options.logging, gates); !wrong.empty())
    return Mistake(options::Aggregate(wrong));
  const auto logging = log::Init(process::LogOptionsOf("berth-scheduler", options.logging));
  if (!logging) return Mistake("--vmodule: " + logging.error().message);
  options::LogFlags(options);
  for (const std::string& warning : gates.Warnings()) log::Warning(warning);
  if (const auto wrong = options::Errors(options, gates); !wrong.empty()) {
    log::Error("command failed", {{"err", options::Aggregate(wrong)}});
    return 1;
  }
  return RunScheduler(options, gates, start);
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  if (const int code = berth::RunCanaryIfAsked(argc, argv); code >= 0) _exit(code);
  berth::process::RunProgram([&](const berth::process::Start& start) { return berth::Main(argc, argv, start); });
}
