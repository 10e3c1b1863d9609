#include "config/options/parse.h"

#include <utility>

#include "base/kubernetes_version.h"
#include "config/flags/arguments.h"
#include "config/options/flag_table.h"
#include "config/options/program_flags.h"

namespace berth::options {
namespace {

constexpr const char* kProgram = "berth-scheduler";
constexpr const char* kAbout =
    "Berth decides which node each pod of a Kubernetes cluster runs on, as kube-scheduler does, with its\n"
    "configuration and its flags. Every policy is a plugin in a shared object.\n";

constexpr const char* kVersionHelp =
    "print the version and exit; =raw: with that of the kube-scheduler it stands in for";

// Appended to --version=raw.
std::string KubeSchedulerVersion() { return std::string(" (kube-scheduler ") + base::kKubernetesGitVersion + ")"; }

}  // namespace

std::optional<int> ParseOptions(const std::vector<std::string>& arguments, const std::string& version,
                                SchedulerOptions& options, std::ostream& out, std::ostream& err) {
  ParsedFlags parsed;
  const auto add = [&options](flags::Command& command, UnservedFlags& unserved) {
    AddFlags(command, options, unserved);
  };
  if (const auto code = ParseFlags({kProgram, kAbout, version, kVersionHelp, KubeSchedulerVersion()}, arguments, add,
                                   parsed, out, err)) {
    return code;
  }
  options.states = std::move(parsed.states);
  options.unserved = std::move(parsed.unserved);
  return std::nullopt;
}

std::optional<int> ParseOptions(int argc, char** argv, const std::string& version, SchedulerOptions& options,
                                std::ostream& out, std::ostream& err) {
  return ParseOptions(flags::Arguments(argc, argv), version, options, out, err);
}

void LogFlags(const SchedulerOptions& options) { LogFlags(options.states, options.unserved); }

}  // namespace berth::options
