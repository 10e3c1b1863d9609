#include "main/canary.h"

#include <iostream>
#include <memory>
#include <string_view>

#include "canary/canary.h"
#include "canary/child.h"
#include "main/command_line.h"
#include "main/recovery.h"
#include "options/overlay.h"
#include "options/parse.h"

namespace berth {
namespace {

// As they were given, so that the child understands them as this process did.
std::vector<std::string> OwnArguments() {
  std::vector<std::string> arguments = CommandLine();
  if (!arguments.empty()) arguments.erase(arguments.begin());
  return arguments;
}

}  // namespace

int RunCanaryIfAsked(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "canary") return -1;
  options::SchedulerOptions options;
  const auto code = options::ParseOptions(argc - 1, argv + 1, BERTH_VERSION, options, std::cout, std::cerr);
  if (code) return *code;
  return canary::RunChild([&options](config::Configuration& to) { options::ApplyTo(options, to); },
                          QuarantineOfParent(options));
}

void AddCanary(swap::CoordinatorOptions& to, const options::SchedulerOptions& options, engine::Engine& engine) {
  const auto tried = std::make_shared<canary::TriedLibraries>();
  to.policy.rehearse = [tried](const loader::Rehearsal& library) { return tried->Judge(library); };
  canary::CanaryOptions canary;
  canary.arguments = OwnArguments();
  canary.plugin_directories = to.policy.plugin_directories;
  canary.feature_gates = options.feature_gates;
  canary.staging_directory = to.policy.staging_directory;
  canary.sample = [&engine] { return canary::TakeSample(engine); };
  canary.tried = tried;
  to.canary = canary::MakeCanary(std::move(canary));
}

}  // namespace berth
