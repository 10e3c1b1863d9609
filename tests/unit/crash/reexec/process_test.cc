// A program whose plugin crashes, aborts, overflows its stack, or never returns.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "crash/record/state_dir.h"
#include "eventually.h"
#include "os/subprocess/spawn_rules.h"
#include "zoo.h"

extern char** environ;

namespace berth::crash {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

struct Ran {
  int status = 0;
  std::string output;
};

class ARecoveringProgram : public testing::Test {
 protected:
  ARecoveringProgram() {
    std::string pattern = testing::TempDir() + "/recovery-XXXXXX";
    directory_ = mkdtemp(pattern.data());
  }
  ~ARecoveringProgram() override { std::filesystem::remove_all(directory_); }

  std::string state() const { return directory_ + "/state"; }

  Ran Run(const std::string& state, const std::string& plugin, const std::vector<std::string>& intern = {}) {
    return Wait(Launch(state, plugin, intern));
  }
  // err: the descriptor for its standard error; -1: its standard output.
  pid_t Launch(const std::string& state, const std::string& plugin, const std::vector<std::string>& intern,
               int err = -1) {
    const std::string file = OutputFile();
    const int out = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    std::vector<std::string> arguments = {BERTH_CRASH_HOST, state, zoo::ZooFile(plugin)};
    arguments.insert(arguments.end(), intern.begin(), intern.end());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    const os::SpawnRules rules(-1, out, err == -1 ? out : err);
    pid_t child = -1;
    EXPECT_EQ(posix_spawn(&child, argv[0], rules.files(), rules.attributes(), argv.data(), environ), 0);
    close(out);
    return child;
  }
  Ran Wait(pid_t child) const {
    Ran ran;
    waitpid(child, &ran.status, 0);
    ran.output = ReadText(OutputFile());
    return ran;
  }
  std::string OutputFile() const { return directory_ + "/output"; }

  static bool Ended(const Ran& ran, int code) { return WIFEXITED(ran.status) && WEXITSTATUS(ran.status) == code; }
  static bool Died(const Ran& ran, int signal) { return WIFSIGNALED(ran.status) && WTERMSIG(ran.status) == signal; }
  static size_t Count(const std::string& text, const std::string& part) {
    size_t n = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  }

  std::string directory_;
};

#if defined(__SANITIZE_THREAD__)
constexpr bool kInterruptible = false;  // the sanitizer delays signals for a thread that calls nothing
#else
constexpr bool kInterruptible = true;
#endif

struct Deed {
  const char* library;
  const char* plugin;
  const char* crash;     // the message of the next program
  const char* function;  // in the stack
};

class AnyEnd : public ARecoveringProgram, public testing::WithParamInterface<Deed> {};

TEST_P(AnyEnd, IsRecordedAndTheProgramRestartsWithoutThePlugin) {
  for (const char* thread : {"", "on-a-thread"}) {
    std::filesystem::remove_all(state());
    const Ran ran = Run(state(), GetParam().library, {thread});
    EXPECT_TRUE(Ended(ran, 0)) << ran.output;
    EXPECT_EQ(Count(ran.output, "begin,"), 2u) << ran.output;
    EXPECT_THAT(ran.output, ContainsRegex(std::string("crash: ") + GetParam().crash + ".*: " + GetParam().plugin +
                                          " of profile some-profile, in Filter, library .*" + GetParam().library +
                                          ".*, generation 5 of policy"));
    const bool stuck = GetParam().library == std::string("filter_never_returns");
    if (kInterruptible || !stuck) {
      EXPECT_THAT(ran.output, ContainsRegex(std::string("frame: ") + GetParam().function + ".*" + GetParam().library));
    }
    EXPECT_THAT(ran.output, HasSubstr("quarantine: is in quarantine since "));
    EXPECT_THAT(ran.output, ContainsRegex(std::string("berth-scheduler: .* in Filter of plugin ") + GetParam().plugin));
  }
}

TEST_P(AnyEnd, IsKnownWithoutAStateDirectory) {
  const Ran ran = Run("-", GetParam().library);
  EXPECT_TRUE(Ended(ran, 0)) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("quarantine: is in quarantine since "));
  EXPECT_FALSE(std::filesystem::exists("-"));
}

INSTANTIATE_TEST_SUITE_P(
    Of, AnyEnd,
    testing::Values(
        Deed{.library = "filter_crashes", .plugin = "FilterCrashes", .crash = "signal 11", .function = "filter"},
        Deed{.library = "filter_aborts", .plugin = "FilterAborts", .crash = "signal 6", .function = "filter"},
        Deed{.library = "filter_overflows", .plugin = "FilterOverflows", .crash = "signal 11", .function = "overflow"},
        Deed{.library = "filter_never_returns",
             .plugin = "FilterNeverReturns",
             .crash = "the call did not return",
             .function = "filter"}),
    [](const auto& info) { return std::string(info.param.plugin); });

TEST_F(ARecoveringProgram, FindsACallThatSleepsForever) {
  for (const char* thread : {"", "on-a-thread"}) {
    std::filesystem::remove_all(state());
    const Ran ran = Run(state(), "filter_throws", {thread, "sleeps"});
    EXPECT_TRUE(Ended(ran, 0)) << ran.output;
    EXPECT_EQ(Count(ran.output, "begin,"), 2u) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr("crash: the call did not return"));
  }
}

// The process is stopped during the call, for longer than the deadline and hang_after.
TEST_F(ARecoveringProgram, DoesNotBlameAPluginForAStopOfTheProcess) {
  for (const char* thread : {"", "on-a-thread"}) {
    std::filesystem::remove_all(state());
    const pid_t child = Launch(state(), "filter_throws", {thread, "stops"});
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
    ASSERT_TRUE(WIFSTOPPED(status)) << ReadText(OutputFile());
    std::this_thread::sleep_for(std::chrono::seconds(3));
    kill(child, SIGCONT);
    const Ran ran = Wait(child);
    EXPECT_TRUE(Ended(ran, 0)) << ran.output;
    EXPECT_EQ(Count(ran.output, "begin,"), 1u) << ran.output;
    EXPECT_THAT(ran.output, HasSubstr("filter: \nfaults: 0\n"));
    EXPECT_EQ(ReadText(state() + "/crash.record"), "");
  }
}

TEST_F(ARecoveringProgram, DoesNotBlameAPluginForTheHostsWork) {
  const Ran ran = Run(state(), "filter_throws", {"waits-in-host"});
  EXPECT_TRUE(Ended(ran, 0)) << ran.output;
  EXPECT_EQ(Count(ran.output, "begin,"), 1u) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("filter: \nfaults: 0\n"));
}

// A pipe that is full and that nobody reads.
class FullPipe {
 public:
  FullPipe() {
    EXPECT_EQ(pipe2(ends_.data(), O_CLOEXEC | O_NONBLOCK), 0);
    const std::string page(4096, 'x');
    while (write(ends_[1], page.data(), page.size()) > 0) continue;
    fcntl(ends_[1], F_SETFL, 0);  // blocking, like a container's standard error
  }
  ~FullPipe() {
    for (const int end : ends_) close(end);
  }
  int writing_end() const { return ends_[1]; }

 private:
  std::array<int, 2> ends_{};
};

TEST_F(ARecoveringProgram, DoesNotWaitForStandardErrorWhenItCrashes) {
  const FullPipe pipe;
  for (const char* library : {"filter_crashes", "filter_never_returns"}) {
    std::filesystem::remove_all(state());
    const pid_t child = Launch(state(), library, {}, pipe.writing_end());
    std::atomic<bool> ended{false};
    std::jthread killer([&] {
      if (!Eventually([&] { return ended.load(); })) kill(child, SIGKILL);
    });
    const Ran ran = Wait(child);
    ended = true;
    EXPECT_TRUE(Ended(ran, 0)) << "status " << ran.status << "\n" << ran.output;
    EXPECT_EQ(Count(ran.output, "begin,"), 2u) << ran.output;
  }
}

TEST_F(ARecoveringProgram, DescriptorsAreClosed) {
  const Ran ran = Run(state(), "filter_crashes");
  const std::string line = "begin, descriptors: ";
  const size_t first = ran.output.find(line), second = ran.output.find(line, first + 1);
  ASSERT_NE(second, std::string::npos) << ran.output;
  EXPECT_EQ(std::atoi(ran.output.c_str() + first + line.size()), std::atoi(ran.output.c_str() + second + line.size()));
}

TEST_F(ARecoveringProgram, PassesAVariableOnOnlyWhileItsTimeLasts) {
  setenv("IDENTITY", "inherited", 1);
  const Ran leads = Run(state(), "filter_crashes", {"leads"});
  std::filesystem::remove_all(state());
  const Ran led = Run(state(), "filter_crashes", {"led"});
  std::filesystem::remove_all(state());
  const Ran without = Run(state(), "filter_crashes");
  unsetenv("IDENTITY");
  EXPECT_EQ(Count(leads.output, "identity: inherited\n"), 1u) << leads.output;
  EXPECT_EQ(Count(leads.output, "identity: node_1\n"), 1u) << leads.output;
  EXPECT_EQ(Count(led.output, "identity: inherited\n"), 1u) << led.output;
  EXPECT_EQ(Count(led.output, "identity: none\n"), 1u) << led.output;
  EXPECT_EQ(Count(without.output, "identity: inherited\n"), 2u) << without.output;
}

TEST_F(ARecoveringProgram, DiesAfterThreeTries) {
  const Ran ran = Run(state(), "filter_crashes", {"stubborn"});
  EXPECT_TRUE(Died(ran, SIGSEGV)) << ran.output;
  EXPECT_EQ(Count(ran.output, "begin,"), 4u) << ran.output;
  EXPECT_THAT(ran.output, HasSubstr("not again"));
  const Ran next = Run(state(), "filter_crashes", {"stubborn"});  // a user started it, but the budget is still spent
  EXPECT_TRUE(Died(next, SIGSEGV));
  EXPECT_EQ(Count(next.output, "begin,"), 1u) << next.output;
  EXPECT_THAT(next.output, HasSubstr("crash: signal 11"));
}

TEST_F(ARecoveringProgram, DiesAfterThreeTriesOfACallThatNeverReturns) {
  std::filesystem::create_directories(state());
  const auto now = std::to_string(time(nullptr)) + "\n";
  std::ofstream(state() + "/restarts") << now << now << now;
  const Ran ran = Run(state(), "filter_never_returns");
  EXPECT_TRUE(Died(ran, SIGABRT)) << ran.output;
  EXPECT_EQ(Count(ran.output, "begin,"), 1u) << ran.output;
}

TEST_F(ARecoveringProgram, CanBeConfiguredToExit) {
  const Ran ran = Run(state(), "filter_crashes", {"no-restart"});
  EXPECT_TRUE(Died(ran, SIGSEGV)) << ran.output;
  EXPECT_EQ(Count(ran.output, "begin,"), 1u);
  const Ran next = Run(state(), "filter_crashes", {"no-restart"});
  EXPECT_TRUE(Ended(next, 0));
  EXPECT_THAT(next.output, HasSubstr("crash: signal 11"));
  EXPECT_THAT(next.output, HasSubstr("quarantine: "));
}

TEST_F(ARecoveringProgram, ContinuesAfterASurvivableSignal) {
  const Ran ran = Run(state(), "filter_throws");
  EXPECT_TRUE(Ended(ran, 0)) << ran.output;
  EXPECT_EQ(Count(ran.output, "begin,"), 1u);
  EXPECT_THAT(ran.output, HasSubstr("filter: plugin \"FilterThrows\" threw in Filter"));
  EXPECT_EQ(ReadText(state() + "/crash.record"), "");
  EXPECT_EQ(ReadText(state() + "/quarantine"), "");
}

}  // namespace
}  // namespace berth::crash
