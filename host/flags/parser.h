// Reads a command line into the variables behind a program's flags, and answers --help, --version and mistakes.
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

#include "flags/command.h"

namespace berth::flags {

enum class Manner {
  kTool,       // has subcommands; a mistake is one line that points to --help
  kComponent,  // as Kubernetes' components: no arguments; a mistake is told as "Error: ..." after the whole usage
};

class Parser {
 public:
  Parser(const std::string& program, const std::string& about, Manner manner);
  ~Parser();
  Parser(const Parser&) = delete;

  Command& root();
  // --version prints text. Without this there is no such flag.
  void AnswerVersion(const std::string& text);

  // May be called once. nullopt: the command line was read and the program may go on. Otherwise what there was to say
  // has been written and the program should exit with that code: 0 for --help and --version, else 1.
  std::optional<int> Parse(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err);
  // Runs the command that was asked for and returns its exit code. Only after a Parse that answered nullopt.
  int Run() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::flags
