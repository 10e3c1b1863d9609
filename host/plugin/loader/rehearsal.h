// Loads a library in a child process first. The process itself cannot survive a static constructor that throws: glibc
// declares dlopen as not throwing, and if the exception passes nevertheless, the dynamic linker's lock stays held
// forever. The same is true of constructors that crash, exit (gflags does) or never return. The child is forked without
// exec, so only programs without other threads can use it: the scheduler at start, and berthctl. While pods are being
// scheduled, the canary does this instead. Thread: the only one.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "plugin/loader/rule.h"

namespace berth::loader {

struct Rehearsal {
  std::string file;         // the path of the user, for messages
  int fd = -1;              // exactly the bytes that would be mapped
  std::string linker_path;  // the same bytes, for dlopen
  uint32_t host_minor = 0;
  std::string sha256;  // of those bytes
};

// Returns the error (BP-42), or nothing.
using Rehearse = std::function<std::optional<Finding>(const Rehearsal&)>;

// Loads the library and calls its entry in a forked child, which may take this long.
Rehearse RehearseInFork(std::chrono::milliseconds limit = std::chrono::seconds(5));

}  // namespace berth::loader
