#include "validate/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <iterator>
#include <optional>

#include "loader/child.h"

namespace berth::validate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMostOutput = 2000;

[[noreturn]] void Perform(const std::function<void(Findings&)>& work, int output, int words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  loader::DumpNoCore();
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing >= 0) dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  Findings findings(words);
  try {
    work(findings);
  } catch (const std::exception& e) {
    findings.Fail(std::string("threw: ") + e.what());
  } catch (...) {
    findings.Fail("threw an exception that is not a std::exception");
  }
  findings.Done();
  _exit(0);
}

// What is there, up to 4 KiB; false: closed.
bool ReadSome(int fd, std::string& at) {
  char buffer[4096];
  const ssize_t n = read(fd, buffer, sizeof buffer);
  if (n > 0) at.append(buffer, static_cast<size_t>(n));
  return n > 0 || (n < 0 && errno == EINTR);
}

class Listener {
 public:
  Listener(int output, int words, ChildResult& result)
      : fds_{{words, POLLIN, 0}, {output, POLLIN, 0}}, result_(result) {}

  End Until(Clock::time_point deadline) {
    while (fds_[0].fd >= 0 || fds_[1].fd >= 0) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return End::kLate;
      if (poll(fds_, 2, static_cast<int>(left)) < 0 && errno != EINTR) return End::kDied;
      if (fds_[1].revents != 0) HearOutput();
      if (fds_[0].revents != 0 && HearWords()) {
        DrainOutput();
        return End::kDone;
      }
    }
    return End::kDied;
  }

 private:
  void HearOutput() {
    std::string more;
    if (!ReadSome(fds_[1].fd, more)) fds_[1].fd = -1;  // poll passes it over
    result_.output.append(more, 0, kMostOutput - std::min(kMostOutput, result_.output.size()));
  }
  void DrainOutput() {
    while (fds_[1].fd >= 0 && poll(&fds_[1], 1, 0) > 0) HearOutput();
  }
  // true: the child has said that it is done.
  bool HearWords() {
    if (!ReadSome(fds_[0].fd, rest_)) fds_[0].fd = -1;
    for (Word& word : TakeWords(rest_)) {
      if (word.kind == Kind::kDone) return true;
      result_.words.push_back(std::move(word));
    }
    return false;
  }

  pollfd fds_[2];
  std::string rest_;
  ChildResult& result_;
};

ChildResult NoChild(const char* what) {
  ChildResult result;
  result.how = loader::SystemText(what, errno);
  return result;
}

}  // namespace

ChildResult RunInChild(const std::function<void(Findings&)>& work, std::chrono::milliseconds limit) {
  std::optional<loader::Pipe> output = loader::MakePipe(), words = loader::MakePipe();
  if (!output || !words) return NoChild("could not be started: no pipe");
  const auto started = Clock::now();
  const pid_t child = fork();
  if (child < 0) return NoChild("could not be started: no child process");
  if (child == 0) Perform(work, output->writer.get(), words->writer.get());
  output->writer = loader::FileDescriptor();
  words->writer = loader::FileDescriptor();
  ChildResult result;
  result.end = Listener(output->reader.get(), words->reader.get(), result).Until(started + limit);
  if (result.end != End::kDied) kill(child, SIGKILL);
  result.how = loader::HowItEnded(child);
  result.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started);
  return result;
}

}  // namespace berth::validate
