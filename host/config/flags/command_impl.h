// The data that Command and Parser share; for host/config/flags only.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "config/flags/command.h"

namespace berth::flags {

// A value that its flag rejects. Thrown through CLI11, which passes it on.
struct Refused {
  std::string text;
};

// The data that all commands of one parser share.
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
  int mistake_code = 1;
};

}  // namespace berth::flags
