#include "config/options/parse.h"

#include <ostream>

#include "base/kubernetes_version.h"
#include "base/text.h"
#include "config/flags/arguments.h"
#include "config/flags/parser.h"
#include "config/options/flag_table.h"
#include "config/options/values.h"
#include "telemetry/log/log.h"

namespace berth::options {
namespace {

constexpr const char* kProgram = "berth-scheduler";
constexpr const char* kAbout =
    "Berth decides which node each pod of a Kubernetes cluster runs on, as kube-scheduler does, with its\n"
    "configuration and its flags. Every policy is a plugin in a shared object.\n";

// Appended to --version=raw.
std::string KubeSchedulerVersion() { return std::string(" (kube-scheduler ") + base::kKubernetesGitVersion + ")"; }

}  // namespace

std::optional<int> ParseOptions(const std::vector<std::string>& arguments, const std::string& version,
                                SchedulerOptions& options, std::ostream& out, std::ostream& err) {
  UnservedFlags unserved;
  std::string asked_version = "false";
  flags::Parser parser(kProgram, kAbout, flags::Manner::kComponent);
  AddFlags(parser.root(), options, unserved);
  parser.root().Add({.name = "version",
                     .value = Version(asked_version, "v" + version),
                     .help = "print the version and exit; =raw: with that of the kube-scheduler it stands in for",
                     .group = "Global flags"});
  if (const auto code = parser.Parse(arguments, out, err)) return code;
  options.states = parser.root().States();
  for (const flags::FlagState& flag : options.states) {
    const auto found = unserved.find(flag.name);
    if (flag.changed && found != unserved.end() && (found->second.empty() || found->second != flag.text)) {
      options.unserved.push_back(flag.name);
    }
  }
  if (asked_version != "true" && asked_version != "raw") return std::nullopt;
  out << kProgram << " v" << version << (asked_version == "raw" ? KubeSchedulerVersion() : std::string()) << "\n";
  return 0;
}

std::optional<int> ParseOptions(int argc, char** argv, const std::string& version, SchedulerOptions& options,
                                std::ostream& out, std::ostream& err) {
  return ParseOptions(flags::Arguments(argc, argv), version, options, out, err);
}

void LogFlags(const SchedulerOptions& options) {
  for (const flags::FlagState& flag : options.states) {
    log::V(1, "FLAG: --" + flag.name + "=" + base::Quoted(flag.text));
  }
  if (options.unserved.empty()) return;
  log::Warning("Flags are accepted, but Berth does not have what they ask for", {{"flags", options.unserved}});
}

}  // namespace berth::options
