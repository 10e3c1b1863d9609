// Runs a program to its end and takes what it writes. Thread: any; blocks the caller.
#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "base/result.h"

namespace berth::kubeconfig {

struct Command {
  std::string program;                   // an absolute path
  std::vector<std::string> args;         // without the program
  std::vector<std::string> environment;  // "NAME=value", all of it
};

struct CommandLimits {
  std::chrono::milliseconds time{60'000};  // then it is killed, with all that it started
  size_t output_bytes = size_t{1} << 20;   // of stdout; more is an error
};

struct CommandOutcome {
  int exit_code = 0;  // -1: ended by a signal
  std::string output;
  std::string complaints;  // the end of stderr, at most 4 KiB
};

// stdin is empty, no other descriptor is inherited. Errors never hold output; those of the time limit hold complaints.
// stop: kills it, with all that it started, within 50 ms.
base::Result<CommandOutcome> RunCommand(const Command& command, const CommandLimits& limits = {},
                                        const std::stop_token& stop = {});

// The path of an executable file: command itself when it has a slash, else the first of that name in the absolute
// folders of search_path (PATH). "" when there is none.
std::string FindExecutable(const std::string& command, const std::string& search_path);

}  // namespace berth::kubeconfig
