// Programs of the system in child processes: their output, their end, and their limits.
#include "os/subprocess/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <cerrno>

namespace berth::os {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ReadEnd = Program::ReadEnd;

Program::Limits Within(milliseconds time) { return {Program::Clock::now() + time}; }
Program::Limits Soon() { return Within(seconds(30)); }

class ProgramTest : public testing::Test {
 protected:
  tl::expected<Program, StartError> Shell(const std::string& script) {
    options_.path = "/bin/sh";
    options_.arguments = {"sh", "-c", script};
    return Program::Start(options_);
  }
  Program::Listener Append() {
    return [this](std::string_view bytes) { return output_ += bytes, true; };
  }

  ProgramOptions options_;
  std::string output_;
};

TEST_F(ProgramTest, ReadsOutputErrorsAndExitCode) {
  auto program = Shell("echo out; echo err >&2; exit 7");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadOutput(Soon(), Append()), ReadEnd::kClosed);
  EXPECT_EQ(program->ReadErrors(Soon()), ReadEnd::kClosed);
  EXPECT_TRUE(program->WaitForEnd(Soon()));
  const ChildEnd end = program->Release();
  EXPECT_EQ(end.ExitCode(), 7);
  EXPECT_EQ(end.Text(), "ended with exit code 7");
  EXPECT_EQ(output_, "out\n");
  EXPECT_EQ(program->Errors(), "err\n");
}

TEST_F(ProgramTest, GetsInputEnvironmentAndAProcessGroup) {
  options_.input = "first\nsecond\n";
  options_.environment = {"NAME=value"};
  auto program = Shell("read a; read b; echo $a $b $NAME; kill -0 -$$ && echo group");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadOutput(Soon(), Append()), ReadEnd::kClosed);
  EXPECT_EQ(output_, "first second value\ngroup\n");
}

TEST_F(ProgramTest, WithoutInputReadsNothing) {
  auto program = Shell("cat; echo end");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadOutput(Soon(), Append()), ReadEnd::kClosed);
  EXPECT_EQ(output_, "end\n");
}

TEST_F(ProgramTest, GivesCompleteLinesUntilTheListenerHasEnough) {
  auto program = Shell("printf 'a\\nb\\nc'; sleep 600");
  ASSERT_TRUE(program);
  std::vector<std::string> lines;
  const auto line = [&](std::string_view text) {
    lines.emplace_back(text);
    return text != "b";
  };
  EXPECT_EQ(program->ReadLines(Soon(), line), ReadEnd::kEnough);
  EXPECT_THAT(lines, testing::ElementsAre("a", "b"));
}

TEST_F(ProgramTest, AcceptsNoLineThatIsTooLong) {
  options_.line_bytes = 100;
  auto program = Shell("head -c 101 /dev/zero; sleep 600");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadLines(Soon(), [](std::string_view) { return true; }), ReadEnd::kEnough);
}

TEST_F(ProgramTest, KeepsTheEndOfItsErrors) {
  options_.error_bytes = 4;
  auto program = Shell("head -c 300000 /dev/zero >&2; printf end. >&2");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadOutput(Soon(), Append()), ReadEnd::kClosed);
  EXPECT_EQ(program->ReadErrors(Soon()), ReadEnd::kClosed);
  EXPECT_EQ(program->Errors(), "end.");
}

TEST_F(ProgramTest, DeadlineEndsReadingAndWaiting) {
  auto program = Shell("sleep 600");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadOutput(Within(milliseconds(50)), Append()), ReadEnd::kDeadline);
  EXPECT_FALSE(program->WaitForEnd(Within(milliseconds(50))));
  EXPECT_EQ(program->Kill().Text(), "was ended by signal 9 (Killed)");
}

TEST_F(ProgramTest, StopTokenEndsReadingAndWaiting) {
  auto program = Shell("sleep 600");
  ASSERT_TRUE(program);
  std::stop_source stop;
  stop.request_stop();
  Program::Limits limits = Soon();
  limits.stop = stop.get_token();
  EXPECT_EQ(program->ReadOutput(limits, Append()), ReadEnd::kStopped);
  EXPECT_FALSE(program->WaitForEnd(limits));
}

TEST_F(ProgramTest, SignalLetsTheProgramAnswer) {
  auto program = Shell("trap 'echo caught; exit 3' TERM; echo ready; while :; do sleep 0.01; done");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadLines(Soon(), [](std::string_view line) { return line != "ready"; }), ReadEnd::kEnough);
  program->Signal(SIGTERM);
  EXPECT_EQ(program->ReadLines(Soon(), [](std::string_view line) { return line != "caught"; }), ReadEnd::kEnough);
  EXPECT_TRUE(program->WaitForEnd(Soon()));
  EXPECT_EQ(program->Release().ExitCode(), 3);
}

TEST_F(ProgramTest, KillReachesItsChildren) {
  auto program = Shell("sleep 600 & echo $!; wait");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadLines(Soon(), [this](std::string_view line) { return output_ = line, false; }),
            ReadEnd::kEnough);
  program->Kill();
  EXPECT_EQ(program->ReadOutput(Soon(), Append()), ReadEnd::kClosed) << "the child still holds the pipe";
}

TEST_F(ProgramTest, ReleaseLeavesItsChildrenAlive) {
  auto program = Shell("sleep 600 >/dev/null 2>&1 & echo $!");
  ASSERT_TRUE(program);
  EXPECT_EQ(program->ReadOutput(Soon(), Append()), ReadEnd::kClosed);
  EXPECT_TRUE(program->WaitForEnd(Soon()));
  EXPECT_EQ(program->Release().ExitCode(), 0);
  EXPECT_EQ(kill(std::stoi(output_), SIGKILL), 0);
}

TEST_F(ProgramTest, ReportsAProgramThatCannotBeExecuted) {
  const auto program = Program::Start({.path = "/nowhere/program", .arguments = {"program"}});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().step, "");
  EXPECT_EQ(program.error().error, ENOENT);
}

TEST(ChildEnd, OfASignalHasNoExitCode) {
  const ChildEnd end{SIGKILL};
  EXPECT_EQ(end.ExitCode(), -1);
  EXPECT_EQ(end.Text(), "was ended by signal 9 (Killed)");
}

TEST(ChildEnd, WithoutAStatusHasOnlyEnded) {
  EXPECT_EQ(ChildEnd{}.ExitCode(), 255);
  EXPECT_EQ(ChildEnd{}.Text(), "ended");
}

TEST(OneLine, HasNoControlCharactersAndNoSpaceAtItsEnd) { EXPECT_EQ(OneLine("a\nb\t c \n"), "a b  c"); }

}  // namespace
}  // namespace berth::os
