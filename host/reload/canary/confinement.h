// What the child process gives up before it runs a line of a candidate: files for writing and those that are hidden,
// the network, privileges, other processes, memory and CPU time beyond a limit. What the system does not offer is left
// out. docs/hot-swap.md says what that keeps out and what it does not. Thread: the child's only one.
#pragma once

#include <string>
#include <vector>

namespace berth::canary {

struct Confinement {
  std::vector<std::string> hidden;  // files and directories that must not be read
  std::string staging_directory;    // where libraries are copied to when memory may not be executed; "" = none
};

// Cannot be taken back. Standard input becomes empty. Answers what could not be done, a phrase each.
std::vector<std::string> Confine(const Confinement& confinement);

}  // namespace berth::canary
