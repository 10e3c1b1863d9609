// berthctl plugin pardon: removes a library from quarantine, so the scheduler can load it again.
#include <iostream>
#include <memory>
#include <optional>

#include "cmd/berthctl/commands.h"
#include "crash/record/state_dir.h"
#include "os/crypto/digest.h"
#include "policy/quarantine/quarantine.h"

namespace berth::ctl {
namespace {

int Pardon(const std::string& given, const std::string& state_dir) {
  const std::optional<std::string> digest = crypto::ReadSha256(given);
  if (!digest) {
    std::cerr << "\"" << given
              << "\" is not a SHA-256: expected 64 hexadecimal digits, with or without the prefix \"sha256:\"\n";
    return 1;
  }
  const quarantine::Quarantine quarantine(
      crash::StateDir::PathOf(crash::File::kQuarantine, state_dir, nullptr, "self"));
  for (const quarantine::QuarantineEntry& entry : quarantine.Entries()) {
    if (entry.sha256 == *digest) std::cout << "pardoned: " << entry.reason << "\n";
  }
  const auto removed = quarantine.Remove(*digest);
  if (!removed) {
    std::cerr << removed.error().message << "\n";
    return 1;
  }
  if (*removed == 0) std::cerr << *digest << " is not in " << quarantine.path() << "\n";
  return *removed == 0 ? 1 : 0;
}

}  // namespace

void AddPardonCommand(flags::Command& plugin) {
  struct Options {
    std::vector<std::string> digest;
    std::string state_dir;
  };
  auto options = std::make_shared<Options>();
  flags::Command& command =
      plugin.AddSubcommand("pardon", "remove a library from quarantine; a running scheduler loads it again");
  command.AddArguments("SHA256", options->digest, "digest of the library, with or without the prefix \"sha256:\"",
                       false);
  command.Add({.name = "state-dir",
               .value = flags::Text(options->state_dir),
               .help = "state directory of the scheduler",
               .required = true});
  command.OnRun([options] { return Pardon(options->digest.front(), options->state_dir); });
}

}  // namespace berth::ctl
