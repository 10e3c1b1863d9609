// Loading a library in a child process first. A static constructor that throws cannot be survived in the process
// itself: glibc declares dlopen as not throwing, and a caller that gets around that is left with the dynamic linker's
// lock held for ever. The same goes for constructors that crash, exit (gflags does) or never return. The child is
// forked without exec, so this is for programs that have no other threads yet, as at start and in berthctl; while pods
// are being scheduled the canary program is used instead. Thread: the only one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plugin/loader/rule.h"

namespace berth::loader {

struct Rehearsal {
  std::string file;         // the user's, for messages
  int fd = -1;              // the very bytes that would be mapped
  std::string linker_path;  // the same for dlopen
  uint32_t host_minor = 0;
  std::string sha256;  // of those bytes
};

// Answers what went wrong (BP-42), or nothing.
using Rehearse = std::function<std::optional<Finding>(const Rehearsal&)>;

// Loads the library and calls its entry in a forked child, which may take this long.
Rehearse RehearseInFork(std::chrono::milliseconds limit = std::chrono::seconds(5));

}  // namespace berth::loader
