// berthctl plugin pardon: a library may be loaded again that has brought a scheduler to its end.
#include <iostream>
#include <memory>
#include <optional>

#include "crypto/digest.h"
#include "ctl/command.h"
#include "recovery/place.h"
#include "recovery/quarantine.h"

namespace berth::ctl {
namespace {

int Pardon(const std::string& given, const std::string& state_dir) {
  const std::optional<std::string> digest = crypto::ReadSha256(given);
  if (!digest) {
    std::cerr << "\"" << given << "\" is no SHA-256: 64 hexadecimal digits are, with or without \"sha256:\" before\n";
    return 1;
  }
  const recovery::Quarantine quarantine(
      recovery::Place::PathOf(recovery::File::kQuarantine, state_dir, nullptr, "self"));
  for (const recovery::QuarantineEntry& entry : quarantine.Entries()) {
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
      plugin.AddSubcommand("pardon", "take a library out of quarantine; a running scheduler tries it at once");
  command.AddArguments("SHA256", options->digest, "of the library, with or without \"sha256:\" before", false);
  command.Add({.name = "state-dir",
               .value = flags::Text(options->state_dir),
               .help = "that of the scheduler",
               .required = true});
  command.OnRun([options] { return Pardon(options->digest.front(), options->state_dir); });
}

}  // namespace berth::ctl
