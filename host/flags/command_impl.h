// What Command and Parser share; for host/flags only.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "flags/command.h"

namespace berth::flags {

// A value that its flag does not take. Thrown through CLI11, which lets it pass.
struct Refused {
  std::string text;
};

// What all commands of one parser know.
struct Shared {
  std::set<std::string> bare;  // long names of the flags that take nothing
};

class Command::Impl {
 public:
  CLI::App* app = nullptr;  // the parser's, or its parent's
  std::shared_ptr<Shared> shared;
  std::map<std::string, Value> values;
  std::set<std::string> changed;
  std::vector<std::unique_ptr<Command>> subcommands;
  std::function<int()> run;
};

}  // namespace berth::flags
