#include "os/subprocess/forked_child.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "os/fd/file_descriptor.h"
#include "os/subprocess/child_end.h"

namespace berth::os {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kForkExitCheck{2};  // between checks whether the child has ended

[[noreturn]] void RunChild(const std::function<void(int)>& work, int output, int messages) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  DumpNoCore();
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  work(messages);
  _exit(0);
}

// The parent's view of one child.
class ForkedChild {
 public:
  ForkedChild(pid_t child, int output, int messages, size_t most, const std::function<bool(std::string_view)>& listener)
      : child_(child), messages_{messages, POLLIN, 0}, output_{output, POLLIN, 0}, most_(most), listener_(listener) {}

  ForkEnd Watch(Clock::time_point deadline) {
    for (;;) {
      if (messages_.fd < 0 && HasEnded(child_)) break;
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return ForkEnd::kLate;
      Poll(messages_.fd < 0 ? std::min(left, kForkExitCheck) : left);
      if (output_.revents != 0) ReadOutput();
      if (messages_.revents != 0 && ReadMessages()) return DrainOutput(), ForkEnd::kDone;
    }
    DrainOutput();
    return ForkEnd::kDied;
  }

  std::string& written() { return written_; }

 private:
  void Poll(milliseconds most) {
    pollfd fds[2] = {messages_, output_};  // poll skips those that are -1
    const int ready = poll(fds, 2, static_cast<int>(most.count()));
    messages_.revents = ready > 0 ? fds[0].revents : short{0};
    output_.revents = ready > 0 ? fds[1].revents : short{0};
  }
  // "" and from.fd = -1 when the child has closed it.
  static std::string_view ReadPiece(pollfd& from, char (&buffer)[4096]) {
    const ssize_t n = read(from.fd, buffer, sizeof buffer);
    if (n == 0 || (n < 0 && errno != EINTR)) from.fd = -1;
    return {buffer, n > 0 ? static_cast<size_t>(n) : 0};
  }
  void ReadOutput() {
    char buffer[4096];
    written_ += ReadPiece(output_, buffer).substr(0, most_ - std::min(most_, written_.size()));
  }
  // What the child has written before its last message. Bounded, because a process that it has started may still write.
  void DrainOutput() {
    for (int i = 0; i < 32 && output_.fd >= 0 && poll(&output_, 1, 0) > 0; ++i) ReadOutput();
  }
  bool ReadMessages() {
    char buffer[4096];
    const std::string_view piece = ReadPiece(messages_, buffer);
    return !piece.empty() && listener_(piece);
  }

  pid_t child_;
  pollfd messages_, output_;
  size_t most_;
  const std::function<bool(std::string_view)>& listener_;
  std::string written_;
};

}  // namespace

base::Result<ForkResult> RunForked(const ForkOptions& options, const std::function<void(int messages)>& work,
                                   const std::function<bool(std::string_view)>& listener) {
  std::optional<Pipe> output = MakePipe(), messages = MakePipe();
  if (!output || !messages) return base::Fail(SystemText("no pipe", errno));
  const auto started = Clock::now();
  const pid_t child = fork();
  if (child < 0) return base::Fail(SystemText("no child process", errno));
  if (child == 0) RunChild(work, output->writer.get(), messages->writer.get());
  output->writer = FileDescriptor();
  messages->writer = FileDescriptor();
  ForkedChild forked(child, output->reader.get(), messages->reader.get(), options.output_bytes, listener);
  ForkResult result;
  result.end = forked.Watch(started + options.limit);
  if (result.end != ForkEnd::kDied) kill(child, SIGKILL);
  result.how = Reap(child).Text();
  result.output = std::move(forked.written());
  result.took = std::chrono::duration_cast<milliseconds>(Clock::now() - started);
  return result;
}

}  // namespace berth::os
