// A program or one of its subcommands: which flags and arguments it takes, and what it does. CLI11 stays behind it.
// Thread: main, at start. Ownership: the Parser owns its commands; the variables that flags point to are the caller's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "flags/value.h"

namespace berth::flags {

struct Flag {
  std::string name;  // "leader-elect"
  char letter = 0;   // 'v' for -v; 0 = none
  Value value;
  std::string help;
  std::string group = "Options";  // headline in the help
  bool required = false;
};

// A flag as it stands after parsing.
struct FlagState {
  std::string name;
  std::string text;      // of its value
  bool changed = false;  // it was on the command line
};

class Command {
 public:
  class Impl;
  explicit Command(std::unique_ptr<Impl> impl);
  ~Command();
  Command(const Command&) = delete;

  void Add(Flag flag);
  // What stands without a flag: at least one, and as many as there are when many.
  void AddArguments(const std::string& name, std::vector<std::string>& at, const std::string& help, bool many);
  // A command with subcommands needs one of them. The reference stays good.
  Command& AddSubcommand(const std::string& name, const std::string& about);
  // Runs when this is the command that was asked for; the result is the program's exit code.
  void OnRun(std::function<int()> run);

  bool Changed(const std::string& name) const;  // was the flag on the command line? false too when there is none
  std::vector<FlagState> States() const;        // by name

 private:
  friend class Parser;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::flags
