// The messages of the child process to its parent, as lines, so that the parent knows where a child ended.
//   step <text>                what comes now: "loading /path/x.so"
//   while <text>               likewise, of what a call into a plugin is a part of: an attempt to place a pod
//   call <text>                the call into a plugin that a fatal signal interrupted
//   memory <taken> <limit>     MiB of address space, when the child has taken much of what it may
//   without <text>             what of the confinement this system does not offer
//   ok ["<sha256>", ...]       all is well; the libraries that were mapped
//   {"errors": ["...", ...]}   the configuration has mistakes
// Thread: the child's only one; its signal handlers.
#pragma once

#include <string>
#include <vector>

namespace berth::canary {

class Progress {
 public:
  // Reserves standard output for itself: the output of plugins goes to standard error. Catches fatal signals, and
  // SIGTERM, which the parent sends to a late child.
  static void Begin();
  static void Step(const std::string& what);
  static void While(const std::string& what);
  static void Without(const std::string& what);
  static void Ok(const std::vector<std::string>& sha256);
  static void Errors(const std::vector<std::string>& texts);
};

}  // namespace berth::canary
