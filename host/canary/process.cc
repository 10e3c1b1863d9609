#include "canary/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <thread>
#include <utility>

#include "base/spawn_rules.h"

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U  // Linux 6.3; not in this libc's headers
#endif

namespace berth::canary {
namespace {

using loader::FileDescriptor;
using loader::SystemText;

constexpr size_t kMostLastWords = 1000;
constexpr size_t kLongestLine = size_t{4} << 20;  // a thousand errors fit
constexpr auto kForLastWord = std::chrono::milliseconds(200);

// Standard input that needs nobody to write it while the child reads.
base::Result<FileDescriptor> InputOf(std::string_view text) {
  int fd = memfd_create("berth:canary", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
  if (fd < 0) fd = memfd_create("berth:canary", MFD_CLOEXEC);  // kernels before 6.3
  FileDescriptor input(fd);
  if (!input.valid()) return base::Fail(SystemText("memfd_create", errno));
  while (!text.empty()) {
    const ssize_t n = write(input.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return base::Fail(SystemText("writing to a memfd", errno));
    text.remove_prefix(static_cast<size_t>(n));
  }
  lseek(input.get(), 0, SEEK_SET);
  return input;
}

// For posix_spawn, which changes nothing of them; as long as texts.
std::vector<char*> PointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

base::Result<Process> Process::Start(const std::string& program, const std::vector<std::string>& arguments,
                                     const std::vector<std::string>& environment, std::string_view input) {
  const auto in = InputOf(input);
  if (!in) return tl::unexpected(in.error());
  std::optional<loader::Pipe> out = loader::MakePipe(), err = loader::MakePipe();
  if (!out || !err) return base::Fail(SystemText("no pipe", errno));
  fcntl(out->reader.get(), F_SETFL, O_NONBLOCK);
  fcntl(err->reader.get(), F_SETFL, O_NONBLOCK);
  const std::vector<char*> argv = PointersTo(arguments), envp = PointersTo(environment);
  const base::SpawnRules rules(in->get(), out->writer.get(), err->writer.get());
  pid_t child = -1;
  const int error = posix_spawn(&child, program.c_str(), rules.files(), rules.attributes(), argv.data(), envp.data());
  if (error != 0) return base::Fail(SystemText(program, error));
  return Process(child, std::move(out->reader), std::move(err->reader));
}

Process::Process(Process&& other) noexcept
    : child_(std::exchange(other.child_, -1)), out_(std::move(other.out_)), err_(std::move(other.err_)) {}

// Everything there is; false: the end.
bool Process::ReadErrors() {
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(err_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 && errno == EAGAIN;
    errors_.append(buffer, static_cast<size_t>(n));
    if (errors_.size() > 2 * kMostLastWords) errors_.erase(0, errors_.size() - kMostLastWords);
  }
}

// As ReadErrors; false also when line() is satisfied.
bool Process::ReadLines(const std::function<bool(std::string_view)>& line) {
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(out_.get(), buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 && errno == EAGAIN;
    partial_.append(buffer, static_cast<size_t>(n));
    if (partial_.size() > kLongestLine) return false;
    for (size_t end; (end = partial_.find('\n')) != std::string::npos; partial_.erase(0, end + 1)) {
      if (!line(std::string_view(partial_).substr(0, end))) return false;
    }
  }
}

bool Process::Listen(Clock::time_point until, const std::function<bool(std::string_view)>& line) {
  pollfd fds[2] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return false;
    if (poll(fds, 2, static_cast<int>(left)) < 0) continue;  // interrupted
    if (fds[1].revents != 0 && !ReadErrors()) fds[1].fd = -1;
    if (fds[0].revents != 0 && !ReadLines(line)) return true;
  }
}

std::string Process::WaitForEnd(Clock::time_point until) {
  for (siginfo_t info{}; waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
                         info.si_pid == 0 && Clock::now() < until;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Kill();
  const pid_t child = std::exchange(child_, -1);
  std::string how = loader::HowItEnded(child);
  ReadErrors();
  return how;
}

void Process::Interrupt(const std::function<bool(std::string_view)>& line) {
  kill(child_, SIGTERM);
  Listen(Clock::now() + kForLastWord, line);
  End();
}

// It and whatever it has started.
void Process::Kill() {
  kill(-child_, SIGKILL);
  kill(child_, SIGKILL);
}

void Process::End() {
  if (child_ < 0) return;
  Kill();
  loader::HowItEnded(std::exchange(child_, -1));
}

std::string Process::LastWords() {
  ReadErrors();
  if (errors_.size() > kMostLastWords) errors_.erase(0, errors_.size() - kMostLastWords);
  return loader::OneLine(errors_);
}

}  // namespace berth::canary
