// Parses a command line into the variables of a program's flags, and handles --help, --version and mistakes.
//
//   Parser parser("berthctl", "Berth without a cluster.", Manner::kTool);
//   parser.root().Add({.name = "config", .value = Text(config), .help = "a file"});
//   if (const auto code = parser.Parse(Arguments(argc, argv), std::cout, std::cerr)) return *code;
//   return parser.Run();
//
// Thread: main, at start.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/flags/command.h"

namespace berth::flags {

enum class Manner {
  kTool,       // has subcommands; an error is one line that refers to --help
  kComponent,  // as Kubernetes' components: no arguments; an error is "Error: ..." after the whole usage
};

class Parser {
 public:
  Parser(const std::string& program, const std::string& about, Manner manner);
  ~Parser();
  Parser(const Parser&) = delete;

  Command& root();
  // --version prints text. Without this there is no such flag.
  void AnswerVersion(const std::string& text);

  // Call it once. nullopt: the program may continue. Otherwise the message is written, and the program exits with that
  // code: 0 for --help and --version, else 1.
  std::optional<int> Parse(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);
  // Runs the command of the command line and returns its exit code. Only after Parse has returned nullopt.
  int Run() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::flags
