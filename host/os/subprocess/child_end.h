// The parts that os/subprocess shares with the code that runs in a child process: pipes, and how a child ended.
// Thread: any.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "os/fd/file_descriptor.h"

namespace berth::os {

struct Pipe {
  FileDescriptor reader, writer;
};

// Both ends are closed on exec. nullopt: errno holds the reason.
std::optional<Pipe> MakePipe();

// For the child: a crash of this process writes no core file.
void DumpNoCore();

// How a child process ended.
struct ChildEnd {
  std::optional<int> status;  // of waitpid; nullopt when the system kept no status, because SIGCHLD is ignored

  // "was ended by signal 11 (Segmentation fault)", "ended with exit code 7", or "ended" without a status.
  std::string Text() const;
  // 0 to 255; -1 after a signal, 255 without a status.
  int ExitCode() const;
};

// Whether the child has ended, or is no longer a child of this process. Does not block. Call Reap afterwards.
bool HasEnded(pid_t child);
// Blocks until the child has ended, and releases its process id.
ChildEnd Reap(pid_t child);

// The text without control characters and without white space at its end.
std::string OneLine(std::string text);

}  // namespace berth::os
