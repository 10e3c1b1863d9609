// What whoever runs foreign code in a child process first needs: pipes, and words for how the child ended. Callers: the
// rehearsal and host/canary. Thread: any.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "loader/file.h"

namespace berth::loader {

struct Pipe {
  FileDescriptor reader, writer;
};

// Closed on exec. nullopt: errno says why.
std::optional<Pipe> MakePipe();

// In the child: a crash is expected, and leaves no file behind.
void DumpNoCore();

// Waits for the child's end: "was ended by signal 11 (Segmentation fault)", "ended with exit code 7", or "ended" where
// children are not waited for.
std::string HowItEnded(pid_t child);

// Without control characters and without white space at the end.
std::string OneLine(std::string text);

}  // namespace berth::loader
