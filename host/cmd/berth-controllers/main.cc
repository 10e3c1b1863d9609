// berth-controllers: from the command line to the controllers, and out.
#include <unistd.h>

#include <iostream>

#include "client/http/threads.h"
#include "cluster/election/identity.h"
#include "cluster/process/log_options.h"
#include "cluster/process/small_heap.h"
#include "cmd/berth-controllers/controller_options.h"
#include "cmd/berth-controllers/run_controllers.h"
#include "config/configuration/feature_gates.h"
#include "config/flags/arguments.h"
#include "config/options/validate_options.h"
#include "os/machine/cpus.h"
#include "os/machine/hostname.h"
#include "telemetry/log/log.h"

namespace berth {
namespace {

int Mistake(const std::string& what) {
  std::cerr << "Error: " << what << "\n";
  return 1;
}

int Main(int argc, char** argv, const ControllerStart& start) {
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
  berth::process::KeepHeapSmall();
  std::string identity = berth::election::TakeIdentity(berth::os::Hostname());
  berth::process::Signals signals;  // before the first thread: all inherit what it blocks
  berth::http::InitializeThreads(berth::os::CgroupCpus() + 2);
  const int code = berth::Main(argc, argv, {signals, std::move(identity)});
  std::cout.flush();
  std::cerr.flush();
  berth::log::Flush();
  _exit(code);  // threads of cpprestsdk must not race against the end of static objects
}
