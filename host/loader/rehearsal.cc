#include "loader/rehearsal.h"

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "loader/child.h"
#include "loader/mapping.h"

namespace berth::loader {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostOutput = 2000;  // of what the child writes before it dies
constexpr char kDone = 'd';

// The child. What it finds wrong in a way that the parent can find as well is left to the parent.
[[noreturn]] void Perform(const Rehearsal& rehearsal, int output, int result) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  DumpNoCore();
  for (const int signal_number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM}) signal(signal_number, SIG_DFL);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  if (void* library = dlopen(rehearsal.linker_path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (const auto entry = reinterpret_cast<EntryFunction>(dlsym(library, "berth_entry_v1"))) {
      try {
        entry(rehearsal.host_minor);
      } catch (...) {
      }
    }
  }
  const ssize_t written = write(result, &kDone, 1);
  _exit(written == 1 ? 0 : 1);
}

enum class End { kDone, kDied, kLate };

// Collects what the child writes until it is done, dead or late.
End Watch(int output, int result, Clock::time_point deadline, std::string& written) {
  pollfd fds[2] = {{result, POLLIN, 0}, {output, POLLIN, 0}};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return End::kLate;
    if (poll(fds, 2, static_cast<int>(left)) < 0 && errno != EINTR) return End::kDied;
    if (fds[1].revents != 0) {
      char buffer[512];
      const ssize_t n = read(output, buffer, sizeof buffer);
      if (n > 0)
        written.append(buffer, std::min(static_cast<size_t>(n), kMostOutput - std::min(kMostOutput, written.size())));
      if (n <= 0) fds[1].fd = -1;  // closed: poll passes it over
      continue;                    // drain it before the end is noticed
    }
    if (fds[0].revents != 0) {
      char byte = 0;
      return read(result, &byte, 1) == 1 && byte == kDone ? End::kDone : End::kDied;
    }
  }
}

std::optional<Finding> Run(const Rehearsal& rehearsal, std::chrono::milliseconds limit) {
  std::optional<Pipe> output = MakePipe(), result = MakePipe();
  if (!output || !result) return Finding{Rule::kRehearsal, SystemText("cannot be rehearsed: no pipe", errno)};
  const pid_t child = fork();
  if (child < 0) return Finding{Rule::kRehearsal, SystemText("cannot be rehearsed: no child process", errno)};
  if (child == 0) Perform(rehearsal, output->writer.get(), result->writer.get());
  output->writer = FileDescriptor();
  result->writer = FileDescriptor();
  std::string written;
  const End end = Watch(output->reader.get(), result->reader.get(), Clock::now() + limit, written);
  if (end != End::kDied) kill(child, SIGKILL);
  const std::string how = HowItEnded(child);
  if (end == End::kDone) return std::nullopt;
  if (end == End::kLate)
    return Finding{Rule::kRehearsal,
                   "was not loaded after " + std::to_string(limit.count()) + " ms in a child process"};
  written = OneLine(std::move(written));
  return Finding{Rule::kRehearsal, "a child process that loaded it " + how + (written.empty() ? "" : ": " + written)};
}

}  // namespace

Rehearse RehearseInFork(std::chrono::milliseconds limit) {
  return [limit](const Rehearsal& rehearsal) { return Run(rehearsal, limit); };
}

}  // namespace berth::loader
