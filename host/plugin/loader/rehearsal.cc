#include "plugin/loader/rehearsal.h"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include <string_view>

#include "os/subprocess/child_end.h"
#include "os/subprocess/forked_child.h"
#include "plugin/loader/mapping.h"

namespace berth::loader {
namespace {

constexpr char kDone = 'd';

// Runs in the child. The child does not report errors that the parent can find, too. It ends the process when an
// exception leaves dlopen, which happens with glibc for AArch64.
void Perform(const Rehearsal& rehearsal, int result) noexcept {
  for (const int signal_number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM}) signal(signal_number, SIG_DFL);
  if (void* library = dlopen(rehearsal.linker_path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (const auto entry = reinterpret_cast<EntryFunction>(dlsym(library, "berth_entry_v1"))) {
      try {
        entry(rehearsal.host_minor);
      } catch (...) {
      }
    }
  }
  if (write(result, &kDone, 1) != 1) _exit(1);
}

std::optional<Finding> Run(const Rehearsal& rehearsal, std::chrono::milliseconds limit) {
  const auto child = os::RunForked(
      {.limit = limit}, [&](int result) { Perform(rehearsal, result); },
      [](std::string_view bytes) { return bytes[0] == kDone; });
  if (!child) return Finding{Rule::kRehearsal, "cannot be rehearsed: " + child.error().message};
  if (child->end == os::ForkEnd::kDone) return std::nullopt;
  if (child->end == os::ForkEnd::kLate)
    return Finding{Rule::kRehearsal,
                   "was not loaded after " + std::to_string(limit.count()) + " ms in a child process"};
  const std::string written = os::OneLine(child->output);
  return Finding{Rule::kRehearsal,
                 "a child process that loaded it " + child->how + (written.empty() ? "" : ": " + written)};
}

}  // namespace

Rehearse RehearseInFork(std::chrono::milliseconds limit) {
  return [limit](const Rehearsal& rehearsal) { return Run(rehearsal, limit); };
}

}  // namespace berth::loader
