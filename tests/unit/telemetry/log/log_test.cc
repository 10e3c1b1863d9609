#include "telemetry/log/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <thread>

#include "telemetry/log/capture.h"

namespace berth::log {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::SizeIs;

class LogTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Init({})); }
};

TEST_F(LogTest, ALineLooksLikeKlogs) {
  Capture capture;
  Log(Severity::kInfo, 0, "/src/engine/engine.cc", 47, "Sync completed");
  const std::vector<std::string> lines = capture.Lines();
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0],
              MatchesRegex("I[01][0-9][0-3][0-9] [0-2][0-9]:[0-5][0-9]:[0-6][0-9][.][0-9][0-9][0-9][0-9][0-9][0-9] "
                           "[ 0-9]+ engine[.]cc:47[]] Sync completed"));
  char thread[32];
  snprintf(thread, sizeof thread, " %7d ", gettid());
  EXPECT_EQ(lines[0].substr(21, 9), thread);
}

TEST_F(LogTest, TheTimeIsLocalTime) {
  const auto local = [] {
    const time_t now = time(nullptr);
    tm parts;
    localtime_r(&now, &parts);
    char text[32];
    strftime(text, sizeof text, "%m%d %H:%M:%S", &parts);
    return std::string(text);
  };
  Capture capture;
  const std::string before = local();
  Info("now");
  const std::string after = local(), logged = capture.Lines()[0].substr(1, 13);
  EXPECT_TRUE(before <= logged && logged <= after) << before << " <= " << logged << " <= " << after;
}

TEST_F(LogTest, SeveritiesAndPairs) {
  Capture capture;
  Info("Attempting to schedule pod", {{"pod", "default/test"}});
  Warning("careful", {{"left", 2}});
  Error("Error scheduling pod; retrying", {{"pod", std::string("a/b")}, {"err", "no\"pe"}});
  std::string severities;
  for (const std::string& line : capture.Lines()) severities += line[0];
  EXPECT_EQ(severities, "IWE");
  EXPECT_THAT(capture.Messages(),
              ElementsAre("\"Attempting to schedule pod\" pod=\"default/test\"", "\"careful\" left=2",
                          "\"Error scheduling pod; retrying\" pod=\"a/b\" err=\"no\\\"pe\""));
}

TEST_F(LogTest, LinesNameTheCallersFileAndLine) {
  Capture capture;
  Info("here");
  const int line = __LINE__ - 1;
  EXPECT_THAT(capture.Lines()[0], testing::HasSubstr(" log_test.cc:" + std::to_string(line) + "] here"));
}

TEST_F(LogTest, VerbosityAppliesToInfoOnly) {
  Capture capture;
  EXPECT_TRUE(LogEnabled(0));
  EXPECT_FALSE(LogEnabled(1));
  V(1, "hidden");
  Log(Severity::kError, 9, "a.cc", 1, "an error has no verbosity");
  SetVerbosity(3);
  EXPECT_EQ(Verbosity(), 3);
  EXPECT_TRUE(LogEnabled(3));
  V(3, "seen");
  V(4, "hidden");
  SetVerbosity(-1);
  EXPECT_EQ(Verbosity(), 0);
  EXPECT_THAT(capture.Messages(), ElementsAre("an error has no verbosity", "seen"));
}

TEST_F(LogTest, ModulesRaiseTheVerbosityOfTheirFiles) {
  ASSERT_TRUE(Init({.verbosity = 1, .vmodule = "log_t*=4"}));
  Capture capture;
  V(4, "this file");
  V(5, "too much even here");
  Log(Severity::kInfo, 2, "other.cc", 1, "another file");
  EXPECT_TRUE(LogEnabled(4));
  EXPECT_FALSE(LogEnabled(2, "other.cc"));
  EXPECT_TRUE(LogEnabled(1, "other.cc"));
  EXPECT_THAT(capture.Messages(), ElementsAre("this file"));
}

TEST_F(LogTest, InitAgainReplacesTheSettingsAndABadOneChangesNothing) {
  ASSERT_TRUE(Init({.verbosity = 2, .vmodule = "log_test=7"}));
  const auto bad = Init({.verbosity = 9, .vmodule = "x"});
  ASSERT_FALSE(bad);
  EXPECT_EQ(Verbosity(), 2);
  EXPECT_TRUE(LogEnabled(7));
  ASSERT_TRUE(Init({}));
  EXPECT_EQ(Verbosity(), 0);
  EXPECT_FALSE(LogEnabled(1));
}

TEST_F(LogTest, AVeryLongLineIsTruncatedBetweenCharacters) {
  Capture capture;
  std::string message;
  while (message.size() < 40000) message += "\xc3\xa4";
  Info(message);
  const std::string line = capture.Lines()[0];
  EXPECT_LT(line.size(), 30000u);
  EXPECT_GT(line.size(), 29900u);
  const size_t mark = line.find("... (cut, ");
  ASSERT_NE(mark, std::string::npos);
  EXPECT_EQ(line.substr(mark - 2, 2), "\xc3\xa4");
  EXPECT_THAT(line.substr(mark), MatchesRegex("[.][.][.] [(]cut, 400[0-9][0-9] bytes in all[)]"));
}

TEST_F(LogTest, StderrGetsTheLineOnce) {
  testing::internal::CaptureStderr();
  Info("only once");
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_THAT(written, MatchesRegex("I.* log_test[.]cc:[0-9]+[]] only once\n"));
}

TEST_F(LogTest, ThreadsMayLogAtOnce) {
  Capture capture;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 50; ++i) {
        SetVerbosity(i % 3);
        V(0, "from a thread", {{"thread", t}, {"i", i}});
        (void)LogEnabled(2);
        if (i == 25) (void)Init({.vmodule = "other=" + std::to_string(t)});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(capture.Lines(), SizeIs(200));
}

TEST_F(LogTest, CaptureEndsWithItsScope) {
  { Capture capture; }
  Capture capture;
  EXPECT_THAT(capture.Lines(), IsEmpty());
}

TEST_F(LogTest, TheFailureHandlerLeavesSigtermAlone) {
  ASSERT_TRUE(Init({.failure_handler = true}));
  struct sigaction now;
  ASSERT_EQ(sigaction(SIGTERM, nullptr, &now), 0);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &now), 0);
  EXPECT_NE(now.sa_handler, SIG_DFL);
}

}  // namespace
}  // namespace berth::log
