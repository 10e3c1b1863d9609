#include "config/options/program_flags.h"

#include <ostream>

#include "base/text.h"
#include "config/flags/parser.h"
#include "config/options/values.h"
#include "telemetry/log/log.h"

namespace berth::options {
namespace {

bool HasNoEffect(const flags::FlagState& flag, const UnservedFlags& unserved) {
  const auto found = unserved.find(flag.name);
  return flag.changed && found != unserved.end() && (found->second.empty() || found->second != flag.text);
}

}  // namespace

std::optional<int> ParseFlags(const Program& program, const std::vector<std::string>& arguments,
                              const std::function<void(flags::Command&, UnservedFlags&)>& add, ParsedFlags& parsed,
                              std::ostream& out, std::ostream& err) {
  UnservedFlags unserved;
  std::string asked_version = "false";
  flags::Parser parser(program.name, program.about, flags::Manner::kComponent);
  add(parser.root(), unserved);
  parser.root().Add({.name = "version",
                     .value = Version(asked_version, "v" + program.version),
                     .help = program.version_help,
                     .group = "Global flags"});
  if (const auto code = parser.Parse(arguments, out, err)) return code;
  parsed.states = parser.root().States();
  for (const flags::FlagState& flag : parsed.states) {
    if (HasNoEffect(flag, unserved)) parsed.unserved.push_back(flag.name);
  }
  if (asked_version != "true" && asked_version != "raw") return std::nullopt;
  out << program.name << " v" << program.version << (asked_version == "raw" ? program.raw : std::string()) << "\n";
  return 0;
}

void LogFlags(const std::vector<flags::FlagState>& states, const std::vector<std::string>& unserved) {
  if (log::LogEnabled(1)) {
    for (const flags::FlagState& flag : states) log::V(1, "FLAG: --" + flag.name + "=" + base::Quoted(flag.text));
  }
  if (unserved.empty()) return;
  log::Warning("Flags are accepted, but Berth does not have what they ask for", {{"flags", unserved}});
}

}  // namespace berth::options
