// Removes the child's access to resources before it runs code of a candidate: files for writing, hidden files, the
// network, privileges, other processes, and memory and CPU time beyond a limit. Parts that the system does not support
// are skipped. docs/hot-swap.md says what this prevents and what it does not. Thread: the child's only one.
#pragma once

#include <string>
#include <vector>

namespace berth::canary {

struct Confinement {
  std::vector<std::string> hidden;  // files and directories that must not be read
  std::string staging_directory;    // where libraries are staged when memfds may not be executed; "" = none
};

// Cannot be undone. Standard input becomes empty. Returns a phrase for each part that was not possible.
std::vector<std::string> Confine(const Confinement& confinement);

}  // namespace berth::canary
