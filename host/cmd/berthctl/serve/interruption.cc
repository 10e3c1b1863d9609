#include "cmd/berthctl/serve/interruption.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace berth::ctl {
namespace {

int g_to = -1;  // the writing end; the handler may run on any thread

void OnSignal(int) {
  const int saved = errno;
  [[maybe_unused]] const ssize_t written = write(g_to, "x", 1);
  errno = saved;
}

void Handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
  if (pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0) return;  // the signals then end the program at once
  g_to = pipe_[1];
  Handle(OnSignal);
}

Interruption::~Interruption() {
  Handle(SIG_DFL);
  for (const int end : pipe_) {
    if (end >= 0) close(end);
  }
}

bool Interruption::WaitFor(int milliseconds) {
  pollfd wait{pipe_[0], POLLIN, 0};
  return poll(&wait, 1, milliseconds) > 0;
}

}  // namespace berth::ctl
