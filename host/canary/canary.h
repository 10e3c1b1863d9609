// The parent's side: a candidate configuration is first run in a child process, so that a library which crashes, ends
// the process or never returns does so where nobody is hurt. Source: plugin-abi.md §1C and §4 step 4.
// Called by the coordinator, on its thread. Ownership: the function holds its options; sample's engine must outlive it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "canary/sample.h"
#include "canary/tried.h"
#include "swap/coordinator.h"

namespace berth::canary {

struct CanaryOptions {
  std::string program = "/proc/self/exe";  // berth-scheduler
  std::vector<std::string> arguments;      // the scheduler's own: those that go over the configuration
  std::chrono::milliseconds limit = std::chrono::seconds(5);
  std::vector<std::string> plugin_directories;
  std::string feature_gates;  // as --feature-gates
  std::string staging_directory;
  std::vector<std::string> hidden;        // files and directories that the candidate must not read: credentials
  std::vector<std::string> variables;     // names of what the program needs of the environment, beside PATH and such
  std::function<Sample()> sample;         // empty: none
  std::shared_ptr<TriedLibraries> tried;  // learns what the child survived; may be null
};

// The error is one sentence: the mistakes in the configuration; or "a child process that ran it was ended by signal 11
// (Segmentation fault) in filter of plugin P of profile S, deciding pod default/a with profile S: <its last words>".
swap::Canary MakeCanary(CanaryOptions options);

}  // namespace berth::canary
