// The parent's side: a child process runs a candidate first, so that a library that crashes, exits or hangs does so
// there and not in the scheduler. docs/hot-swap.md describes what the child process can access.
// Called by the coordinator, on its thread. Ownership: the function holds its options; sample's engine must outlive it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "reload/canary/sample.h"
#include "reload/canary/tried.h"
#include "reload/coordinator/coordinator.h"

namespace berth::canary {

struct CanaryOptions {
  std::string program = "/proc/self/exe";  // berth-scheduler
  std::vector<std::string> arguments;      // the scheduler's arguments that override the configuration
  std::chrono::milliseconds limit = std::chrono::seconds(5);
  std::vector<std::string> plugin_directories;
  std::string feature_gates;  // as --feature-gates
  std::string staging_directory;
  std::vector<std::string> hidden;        // files and directories that the candidate must not read: credentials
  std::vector<std::string> variables;     // environment variables that the program needs, besides PATH and the like
  std::function<Sample()> sample;         // empty: none
  std::shared_ptr<TriedLibraries> tried;  // gets the libraries that the child survived; may be null
};

// The error is one sentence: the mistakes in the configuration; or "a child process that ran it was ended by signal 11
// (Segmentation fault) in filter of plugin P of profile S, deciding pod default/a with profile S: <its last words>".
reload::Canary MakeCanary(CanaryOptions options);

}  // namespace berth::canary
