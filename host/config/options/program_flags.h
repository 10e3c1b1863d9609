// Parses the command line of a program that is a component, and its --version. Thread: main, at start.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "config/flags/command.h"
#include "config/options/flag_table.h"

namespace berth::options {

struct Program {
  std::string name, about;
  std::string version;       // "0.1.0"
  std::string version_help;  // of --version
  std::string raw;           // what --version=raw appends
};

struct ParsedFlags {
  std::vector<flags::FlagState> states;  // all of them, by name
  std::vector<std::string> unserved;     // that were set and have no effect, by name
};

// add: adds the flags, and names those without effect. nullopt: the program may continue. Otherwise the message is
// written, and the program exits with that code: 0 after --help and --version, 1 after an error.
std::optional<int> ParseFlags(const Program& program, const std::vector<std::string>& arguments,
                              const std::function<void(flags::Command&, UnservedFlags&)>& add, ParsedFlags& parsed,
                              std::ostream& out, std::ostream& err);

// Logs one line `FLAG: --name="value"` per flag at V(1), and a warning that names the flags without effect. Call it
// after logging is set up.
void LogFlags(const std::vector<flags::FlagState>& states, const std::vector<std::string>& unserved);

}  // namespace berth::options
