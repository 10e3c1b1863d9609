// A program or one of its subcommands: its flags and arguments, and the function that it runs. Hides CLI11. Thread:
// main, at start. Ownership: the Parser owns its commands; the caller owns the variables that flags point to.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/flags/flag_value.h"

namespace berth::flags {

struct Flag {
  std::string name;  // "leader-elect"
  char letter = 0;   // 'v' for -v; 0 = none
  Value value;
  std::string help;
  std::string group = "Options";  // headline in the help
  bool required = false;
};

// A flag after parsing.
struct FlagState {
  std::string name;
  std::string text;      // of its value
  bool changed = false;  // whether it was on the command line
};

class Command {
 public:
  class Impl;
  explicit Command(std::unique_ptr<Impl> impl);
  ~Command();
  Command(const Command&) = delete;

  void Add(Flag flag);
  // The arguments without a flag: at least one unless they are optional, and any number when many.
  void AddArguments(const std::string& name, std::vector<std::string>& at, const std::string& help, bool many,
                    bool optional = false);
  // A command with subcommands requires one of them. The reference stays valid.
  Command& AddSubcommand(const std::string& name, const std::string& about);
  // The function that runs when the user calls this command; it returns the program's exit code.
  void OnRun(std::function<int()> run);

  // The exit code after a mistake on the command line of this command; 1 if not set.
  void SetMistakeCode(int code);

  bool Changed(const std::string& name) const;  // whether the flag was on the command line; false for an unknown flag
  std::vector<FlagState> States() const;        // by name

 private:
  friend class Parser;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::flags
