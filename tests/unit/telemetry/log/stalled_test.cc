// A stalled standard error does not block logging: a child process logs in the background, and this process reads its
// standard error.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "telemetry/log/log.h"

namespace berth::log {
namespace {

using std::chrono::milliseconds;
using testing::ContainsRegex;

constexpr int kTimeout = 60'000;  // ms, for a busy machine

struct Pipe {
  Pipe() {
    int fds[2];
    EXPECT_EQ(pipe2(fds, O_CLOEXEC), 0);
    reader = fds[0];
    writer = fds[1];
  }
  ~Pipe() {
    CloseWriter();
    close(reader);
  }
  void CloseWriter() {
    if (writer >= 0) close(writer);
    writer = -1;
  }
  int reader = -1, writer = -1;
};

class InAChild {
 public:
  // `work` may report numbers with Tell. Its standard error is a pipe for 64 KiB.
  explicit InAChild(const std::function<void(InAChild&)>& work) {
    child_ = fork();
    if (child_ != 0) {
      err_.CloseWriter();
      steps_.CloseWriter();
      return;
    }
    alarm(2 * kTimeout / 1000);
    dup2(err_.writer, STDERR_FILENO);
    close(err_.writer);
    WriteInBackground();
    work(*this);
    _exit(0);
  }
  ~InAChild() {
    if (ended_) return;
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  InAChild(const InAChild&) = delete;

  // ---- the child ----
  void Tell(uint64_t number) { EXPECT_EQ(write(steps_.writer, &number, sizeof number), ssize_t{sizeof number}); }

  // ---- the parent ----
  // The next number; -1: none in time, or the end.
  int64_t Hear() {
    pollfd ready{steps_.reader, POLLIN, 0};
    int64_t number = -1;
    if (poll(&ready, 1, kTimeout) != 1 || read(steps_.reader, &number, sizeof number) != sizeof number) return -1;
    return number;
  }
  // Reads standard error until its end, or until a line contains this text.
  std::vector<std::string> Read(const std::string& until = "") {
    std::string all;
    char buffer[65536];
    while (until.empty() || all.find(until) == std::string::npos || !all.ends_with('\n')) {
      pollfd ready{err_.reader, POLLIN, 0};
      if (poll(&ready, 1, kTimeout) != 1) break;
      const ssize_t n = read(err_.reader, buffer, sizeof buffer);
      if (n <= 0) break;
      all.append(buffer, static_cast<size_t>(n));
    }
    std::vector<std::string> lines;
    for (size_t begin = 0, end; (end = all.find('\n', begin)) != std::string::npos; begin = end + 1) {
      lines.push_back(all.substr(begin, end - begin));
    }
    EXPECT_TRUE(all.empty() || all.ends_with('\n')) << "half a line: " << lines.back();
    return lines;
  }
  bool EndsWell() {
    int status = -1;
    ended_ = waitpid(child_, &status, 0) == child_;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

 private:
  Pipe err_, steps_;
  pid_t child_ = -1;
  bool ended_ = false;
};

// The N of "N lines were dropped", -1: another line.
int64_t DroppedIn(const std::string& line) {
  const size_t message = line.find("] ") + 2;
  const bool notice = line.find(" dropped because standard error was not read") != std::string::npos;
  return notice ? std::stoll(line.substr(message)) : -1;
}

// The N of "... i=N" of a line about this thread.
int64_t NumberIn(const std::string& line) {
  const size_t at = line.find(" i=");
  return at == std::string::npos ? -1 : std::stoll(line.substr(at + 3));
}

// Checks that the lines of each thread are in order, and that missing lines are reported. Returns the number of lines,
// dropped ones included.
int64_t CheckOrder(const std::vector<std::string>& lines, int threads) {
  std::vector<int64_t> next(static_cast<size_t>(threads), 0);
  int64_t arrived = 0, dropped = 0, missing = 0;
  for (const std::string& line : lines) {
    if (const int64_t n = DroppedIn(line); n >= 0) {
      dropped += n;
      continue;
    }
    const size_t at = line.find(" thread=");
    if (at == std::string::npos) continue;
    auto& expected = next[std::stoul(line.substr(at + 8))];
    EXPECT_GE(NumberIn(line), expected) << line;
    missing += NumberIn(line) - expected;
    EXPECT_LE(missing, dropped) << "an unreported gap: " << line;
    expected = NumberIn(line) + 1;
    ++arrived;
  }
  return arrived + dropped;
}

void LogMany(int thread, int lines) {
  for (int i = 0; i < lines; ++i) Info("a line that nobody reads for a while", {{"thread", thread}, {"i", i}});
}

TEST(StalledStderr, DoesNotBlockLogging) {
  InAChild child([](InAChild& self) {
    LogMany(0, 100'000);
    self.Tell(DroppedLines());
    pause();
  });
  const int64_t dropped = child.Hear();
  ASSERT_NE(dropped, -1) << "logging waits for a reader of standard error";
  EXPECT_GT(dropped, 0);
  EXPECT_LT(dropped, 100'000);
}

TEST(StalledStderr, KeepsTheOrderAndCountsDroppedLines) {
  InAChild child([](InAChild& self) {
    LogMany(0, 100'000);
    self.Tell(DroppedLines());
    while (!Flush()) {
    }
    Info("it flows again");
    Flush(milliseconds(kTimeout));
    self.Tell(DroppedLines());
  });
  const int64_t dropped = child.Hear();
  ASSERT_GT(dropped, 0);
  const std::vector<std::string> lines = child.Read();
  EXPECT_EQ(CheckOrder(lines, 1), 100'000);
  ASSERT_GE(lines.size(), 2u);
  EXPECT_THAT(lines.back(), ContainsRegex("it flows again$"));
  EXPECT_GT(DroppedIn(lines[lines.size() - 2]), 0) << "the lines before the gap come first";
  EXPECT_EQ(child.Hear(), dropped);
  EXPECT_TRUE(child.EndsWell());
}

TEST(StalledStderr, CountsDroppedLinesOfTwoThreadsExactly) {
  InAChild child([](InAChild& self) {
    std::thread other([] { LogMany(1, 40'000); });
    LogMany(0, 40'000);
    other.join();
    self.Tell(1);
    LogMany(2, 100);  // after the dropped lines
    Flush(milliseconds(kTimeout));
  });
  std::vector<std::string> lines = child.Read(" i=0\n");
  ASSERT_EQ(child.Hear(), 1);
  for (const std::string& line : child.Read()) lines.push_back(line);
  EXPECT_EQ(CheckOrder(lines, 3), 80'100);
  EXPECT_TRUE(child.EndsWell());
}

TEST(StalledStderr, TimestampsAreThoseOfTheCall) {
  InAChild child([](InAChild& self) {
    LogMany(0, 20'000);
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    self.Tell(static_cast<uint64_t>(now.tv_sec));
    Flush(milliseconds(kTimeout));
  });
  const int64_t logged = child.Hear();
  ASSERT_GT(logged, 0);
  std::this_thread::sleep_for(std::chrono::seconds(2));
  const time_t last = logged;
  tm local;
  localtime_r(&last, &local);
  char second[32];
  strftime(second, sizeof second, "%m%d %H:%M:%S.999999", &local);
  for (const std::string& line : child.Read()) {
    if (DroppedIn(line) < 0) {
      ASSERT_LE(line.substr(1, 20), second);
    }
  }
}

TEST(LogInTheBackground, FlushBeforeTheEndLosesNothing) {
  InAChild child([](InAChild& self) {
    LogMany(0, 3'000);
    if (!Flush(milliseconds(kTimeout))) return;
    self.Tell(DroppedLines());
  });
  EXPECT_EQ(CheckOrder(child.Read(), 1), 3'000);
  EXPECT_EQ(child.Hear(), 0);
}

TEST(LogInTheBackground, ExitFlushes) {
  InAChild child([](InAChild&) {
    LogMany(0, 3'000);
    std::exit(0);
  });
  EXPECT_EQ(CheckOrder(child.Read(), 1), 3'000);
  EXPECT_TRUE(child.EndsWell());
}

TEST(StalledStderr, DelaysTheEndForALimitedTime) {
  InAChild child([](InAChild& self) {
    LogMany(0, 20'000);
    const bool flushed = Flush(milliseconds(20));
    self.Tell(flushed ? 1 : 0);
    std::exit(0);  // flushes too
  });
  EXPECT_EQ(child.Hear(), 0);
  EXPECT_TRUE(child.EndsWell()) << "without a reader";
}

// As in a crash: in a signal handler, while the interrupted thread may be at any instruction.
TEST(LogInTheBackground, AHandlerOfASignalMayFlush) {
  InAChild child([](InAChild&) {
    std::signal(SIGALRM, [](int) {
      Flush(milliseconds(kTimeout));
      _exit(0);
    });
    LogMany(0, 3'000);
    raise(SIGALRM);
  });
  EXPECT_EQ(CheckOrder(child.Read(), 1), 3'000);
  EXPECT_TRUE(child.EndsWell());
}

TEST(StalledStderr, AForkWritesItsOwnLinesAndNoneOfItsParents) {
  InAChild child([](InAChild& self) {
    Pipe own;
    LogMany(0, 20'000);
    std::atomic<bool> over{false};
    std::thread other([&over] {  // may hold any lock
      while (!over) LogMany(1, 10);
    });
    for (int i = 0; i < 20; ++i) {
      const pid_t fork_of_child = fork();
      if (fork_of_child == 0) {
        alarm(kTimeout / 1000);
        dup2(own.writer, STDERR_FILENO);
        Info("of the fork");
        _exit(Flush() && DroppedLines() == 0 ? 0 : 1);
      }
      int status = -1;
      waitpid(fork_of_child, &status, 0);
      char text[4096];
      const ssize_t n = read(own.reader, text, sizeof text);
      const std::string line(text, n > 0 ? static_cast<size_t>(n) : 0);
      const bool alone = line.ends_with("] of the fork\n") && line.find('\n') == line.size() - 1;
      self.Tell(status == 0 && alone ? 1 : 0);
    }
    over = true;
    other.join();
  });
  for (int i = 0; i < 20; ++i) ASSERT_EQ(child.Hear(), 1) << i;
}

TEST(LogInTheBackground, BrokenStandardErrorCountsAsDropped) {
  InAChild child([](InAChild& self) {
    std::signal(SIGPIPE, SIG_IGN);
    Pipe broken;
    close(std::exchange(broken.reader, -1));
    dup2(broken.writer, STDERR_FILENO);
    LogMany(0, 10);
    Flush(milliseconds(kTimeout));
    self.Tell(DroppedLines());
  });
  EXPECT_EQ(child.Hear(), 10);
}

}  // namespace
}  // namespace berth::log
