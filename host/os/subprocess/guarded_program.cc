#include "os/subprocess/guarded_program.h"

#include <signal.h>

#include <atomic>
#include <utility>

namespace berth::os {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

std::atomic<pid_t> guarded_group = 0;  // of the program; 0: none
static_assert(std::atomic<pid_t>::is_always_lock_free, "a signal handler reads it");

// The kernel has reset the signal to its default action, which follows when the handler returns.
void EndBoth(int number) {
  const pid_t group = guarded_group.exchange(0);
  if (group > 0) kill(-group, SIGKILL);
  raise(number);
}

// A signal that this process ignores, such as SIGHUP after nohup, stays ignored.
void SetHandlers(void (*handler)(int), void (*instead_of)(int)) {
  for (const int number : kSignals) {
    struct sigaction now = {};
    if (sigaction(number, nullptr, &now) != 0 || now.sa_handler != instead_of) continue;
    struct sigaction next = {};
    next.sa_handler = handler;
    next.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&next.sa_mask);
    sigaction(number, &next, nullptr);
  }
}

// Holds the signals back, so that none comes between the start of a program and its guard.
class Later {
 public:
  Later() {
    sigset_t held;
    sigemptyset(&held);
    for (const int number : kSignals) sigaddset(&held, number);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~Later() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  Later(const Later&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

tl::expected<std::unique_ptr<GuardedProgram>, StartError> GuardedProgram::Start(const ProgramOptions& options) {
  const Later later;
  auto program = Program::Start(options);
  if (!program) return tl::unexpected(program.error());
  guarded_group = program->group();
  SetHandlers(EndBoth, SIG_DFL);
  return std::unique_ptr<GuardedProgram>(new GuardedProgram(*std::move(program)));
}

GuardedProgram::~GuardedProgram() {
  // First, so that the program ends if a signal comes after the next line.
  if (program_.group() > 0) kill(-program_.group(), SIGKILL);
  guarded_group = 0;
  program_.Kill();
  SetHandlers(SIG_DFL, EndBoth);
}

}  // namespace berth::os
