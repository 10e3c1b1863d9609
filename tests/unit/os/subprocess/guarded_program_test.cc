// A program that ends together with this process.
#include "os/subprocess/guarded_program.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>

namespace berth::os {
namespace {

ProgramOptions Shell(const std::string& script) {
  ProgramOptions options;
  options.path = "/bin/sh";
  options.arguments = {"sh", "-c", script};
  return options;
}

// Ends when all processes that hold the other end of the pipe have ended.
bool WaitForEndOf(const FileDescriptor& reader) {
  char byte = 0;
  return read(reader.get(), &byte, 1) == 0;
}

class GuardedProgramTest : public testing::TestWithParam<int> {};

// The program and its child hold the writing end of a pipe.
TEST_P(GuardedProgramTest, EndsWithTheProcess) {
  std::optional<Pipe> alive = MakePipe();
  ASSERT_TRUE(alive);
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(alive->writer.get());
  EXPECT_EXIT(
      {
        auto guarded = GuardedProgram::Start(Shell("exec 3>" + path + "; sleep 600 & echo started; wait"));
        bool started = false;
        (*guarded)->program().ReadLines({Program::Clock::now() + std::chrono::seconds(30)},
                                        [&](std::string_view line) { return started = line == "started", false; });
        if (!started) _exit(1);
        raise(GetParam());
      },
      testing::KilledBySignal(GetParam()), "");
  alive->writer = FileDescriptor();
  EXPECT_TRUE(WaitForEndOf(alive->reader));
}

INSTANTIATE_TEST_SUITE_P(Signals, GuardedProgramTest, testing::Values(SIGINT, SIGTERM, SIGHUP, SIGQUIT));

TEST(GuardedProgramWithoutSignalTest, RestoresTheActionsOfTheSignals) {
  struct sigaction before = {}, during = {}, after = {};
  sigaction(SIGTERM, nullptr, &before);
  {
    auto guarded = GuardedProgram::Start(Shell("sleep 600"));
    ASSERT_TRUE(guarded);
    sigaction(SIGTERM, nullptr, &during);
  }
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_NE(before.sa_handler, during.sa_handler);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

TEST(GuardedProgramWithoutSignalTest, LeavesAnIgnoredSignalIgnored) {
  struct sigaction now = {};
  signal(SIGHUP, SIG_IGN);
  auto guarded = GuardedProgram::Start(Shell("sleep 600"));
  sigaction(SIGHUP, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
  guarded->reset();
  signal(SIGHUP, SIG_DFL);
}

}  // namespace
}  // namespace berth::os
