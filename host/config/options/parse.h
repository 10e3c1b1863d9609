// Parses the command line into SchedulerOptions. Thread: main, at start.
//
//   SchedulerOptions options;
//   if (const auto code = ParseOptions(argc, argv, BERTH_VERSION, options, std::cout, std::cerr)) return *code;
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "config/options/options.h"

namespace berth::options {

// Fills options, which must be new. version: "0.1.0". nullopt: the daemon may continue. Otherwise the message is
// written, and the program exits with that code: 0 after --help and --version, 1 after an error. Errors look as in
// kube-scheduler: the usage and then "Error: unknown flag: --x", or without the usage `Error: "berth-scheduler" does
// not take any arguments, got ["x"]`.
std::optional<int> ParseOptions(const std::vector<std::string>& arguments, const std::string& version,
                                SchedulerOptions& options, std::ostream& out, std::ostream& err);
std::optional<int> ParseOptions(int argc, char** argv, const std::string& version, SchedulerOptions& options,
                                std::ostream& out, std::ostream& err);

// Logs one line `FLAG: --name="value"` per flag at V(1), and a warning that names the flags without effect. Call it
// after logging is set up.
void LogFlags(const SchedulerOptions& options);

}  // namespace berth::options
