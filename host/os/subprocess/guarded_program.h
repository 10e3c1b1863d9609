// A program that also ends when SIGINT, SIGTERM, SIGHUP, or SIGQUIT ends this process: a Program has its own process
// group, so a terminal's Ctrl-C does not reach it. SIGKILL or a crash of this process leaves it running. At most one
// exists at a time, in a process that has no handlers for these signals. Thread: as for Program; Start while the
// process has one thread.
#pragma once

#include <memory>

#include "os/subprocess/program.h"

namespace berth::os {

class GuardedProgram {
 public:
  static tl::expected<std::unique_ptr<GuardedProgram>, StartError> Start(const ProgramOptions& options);
  // Kills the program and everything that it has started.
  ~GuardedProgram();
  GuardedProgram(const GuardedProgram&) = delete;

  Program& program() { return program_; }

 private:
  explicit GuardedProgram(Program program) : program_(std::move(program)) {}

  Program program_;
};

}  // namespace berth::os
