// How a program begins and ends; each test runs one in a child process.
#include "cluster/process/run_program.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <iostream>
#include <mutex>

#include "telemetry/log/log.h"

namespace berth::process {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ExitedWithCode;
using testing::HasSubstr;
using testing::Not;

bool tells = false;
struct StaticObject {
  ~StaticObject() {
    if (tells) std::fputs("a static object ended", stderr);
  }
};
StaticObject static_object;

TEST(ProgramDeathTest, EndsWithTheExitCodeAndWithoutStaticObjects) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [](const Start&) {
    tells = true;
    log::WriteInBackground();
    log::Info("the last line");
    return 7;
  };
  EXPECT_EXIT(RunProgram(run), ExitedWithCode(7),
              AllOf(HasSubstr("the last line"), Not(HasSubstr("a static object ended"))));
}

TEST(ProgramDeathTest, FlushesStandardOutput) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [](const Start&) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::ios::sync_with_stdio(false);
    std::cout << "the last words";
    return 0;
  };
  EXPECT_EXIT(RunProgram(run), ExitedWithCode(0), HasSubstr("the last words"));
}

TEST(ProgramDeathTest, ASecondSignalEndsAProgramThatHangs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [](const Start& start) {
    start.signals.Start([] { kill(getpid(), SIGTERM); }, [] {}, [] {});
    kill(getpid(), SIGTERM);
    while (true) pause();
    return 0;
  };
  EXPECT_EXIT(RunProgram(run), ExitedWithCode(1), "");
}

TEST(ProgramDeathTest, HasAnIdentityAndWaitsForSignals) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [](const Start& start) {
    std::cerr << "identity " << start.leader_identity << ";";
    kill(getpid(), SIGTERM);  // blocked until the signals have their thread
    bool ended = false;
    std::mutex mutex;
    std::condition_variable changed;
    start.signals.Start(
        [&] {
          std::lock_guard lock(mutex);
          ended = true;
          changed.notify_all();
        },
        [] {}, [] {});
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return ended; });
    lock.unlock();
    start.signals.Stop();
    return 3;
  };
  EXPECT_EXIT(RunProgram(run), ExitedWithCode(3), ContainsRegex("identity .+_[0-9a-f-]+;"));
}

}  // namespace
}  // namespace berth::process
