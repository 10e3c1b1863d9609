#include "os/subprocess/child_end.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>

namespace berth::os {

std::optional<Pipe> MakePipe() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return std::nullopt;
  return Pipe{FileDescriptor(fds[0]), FileDescriptor(fds[1])};
}

void DumpNoCore() {
  const rlimit no_core{1, 1};  // not 0: the kernel ignores 0 when it pipes cores to a program
  setrlimit(RLIMIT_CORE, &no_core);
}

std::string ChildEnd::Text() const {
  if (!status) return "ended";
  if (WIFSIGNALED(*status))
    return "was ended by signal " + std::to_string(WTERMSIG(*status)) + " (" + strsignal(WTERMSIG(*status)) + ")";
  return "ended with exit code " + std::to_string(WEXITSTATUS(*status));
}

int ChildEnd::ExitCode() const {
  if (!status) return 255;
  return WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
}

bool HasEnded(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

ChildEnd Reap(pid_t child) {
  int status = 0;
  pid_t ended;
  do {
    ended = waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  return ended == child ? ChildEnd{status} : ChildEnd{};
}

std::string OneLine(std::string text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.pop_back();
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20; }, ' ');
  return text;
}

}  // namespace berth::os
