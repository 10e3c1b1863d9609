#include "cluster/serve/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"

namespace berth::serve {
namespace {

using testing::ElementsAre;

constexpr const char* kPlain = "text/plain; charset=utf-8";

Check Passing(const std::string& name, const std::string& note = "") {
  return {name, [] { return std::optional<std::string>(); }, [note] { return note; }};
}
Check Failing(const std::string& name, const std::string& why) {
  return {name, [why] { return std::optional(why); }};
}

TEST(Health, IsOk) {
  const Health health("livez", {});
  EXPECT_EQ(health.All("").status, 200);
  EXPECT_EQ(health.All("").body, "ok");
  EXPECT_EQ(health.All("").content_type, kPlain);
  EXPECT_EQ(health.All("verbose").body, "[+]ping ok\nlivez check passed\n");
  EXPECT_EQ(health.All("verbose=false").body, "[+]ping ok\nlivez check passed\n") << "any value counts";
  EXPECT_EQ(health.One("ping")->body, "ok");
  EXPECT_EQ(health.One("other"), std::nullopt);
}

TEST(Health, HidesTheErrorByDefault) {
  const Health health("readyz", {Passing("leaderElection"), Failing("shutdown", "process is shutting down"),
                                 Failing("sched-handler-sync", "handlers are not fully synchronized")});
  const http::Answer answer = health.All("");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.content_type, kPlain);
  EXPECT_EQ(answer.body,
            "[+]leaderElection ok\n[-]shutdown failed: reason withheld\n"
            "[-]sched-handler-sync failed: reason withheld\nreadyz check failed\n");
  EXPECT_EQ(health.All("verbose").body, answer.body);
}

TEST(Health, ShowsTheErrorIfTheCheckAllowsIt) {
  Check check = Failing("watch-pods", "broken since 2026-01-02T03:04:05Z (42 s): connection refused");
  check.shows_error = true;
  const Health health("readyz", {Failing("shutdown", "process is shutting down"), check});
  const http::Answer answer = health.All("verbose");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(
      answer.body,
      "[-]shutdown failed: reason withheld\n"
      "[-]watch-pods failed: broken since 2026-01-02T03:04:05Z (42 s): connection refused\nreadyz check failed\n");
}

TEST(Health, LogsTheError) {
  const Health health("readyz", {Failing("shutdown", "process is shutting down"), Failing("x", "y")});
  ASSERT_TRUE(log::Init({"test", 2, "", false}));
  const log::Capture capture;
  health.All("");
  EXPECT_THAT(capture.Messages(),
              ElementsAre("shutdown,x check failed: readyz\n[-]shutdown failed: process is shutting "
                          "down\n[-]x failed: y"));
  log::SetVerbosity(0);
}

TEST(Health, ASingleCheckShowsTheError) {
  const Health health("readyz", {Failing("shutdown", "process is shutting down")});
  const auto answer = health.One("shutdown");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 500);
  EXPECT_EQ(answer->body, "internal server error: process is shutting down\n");
}

TEST(Health, ChecksCanBeExcluded) {
  const Health health("readyz", {Passing("a"), Failing("b", "no"), Failing("c-d", "no")});
  EXPECT_EQ(health.All("exclude=b&exclude=c%2Dd").body, "ok");
  EXPECT_EQ(health.All("exclude=b&verbose&exclude=c-d").body,
            "[+]a ok\n[+]b excluded: ok\n[+]c-d excluded: ok\nreadyz check passed\n");
  EXPECT_EQ(health.All("exclude=b").status, 500);
  EXPECT_EQ(health.All("exclude=b").body,
            "[+]a ok\n[+]b excluded: ok\n[-]c-d failed: reason withheld\nreadyz check failed\n");
}

TEST(Health, WarnsOfChecksThatCannotBeExcluded) {
  const Health health("healthz", {Passing("a")});
  EXPECT_EQ(health.All("exclude=z&exclude=q\"&exclude=z").body, "ok");
  EXPECT_EQ(health.All("verbose&exclude=z&exclude=q\"&exclude=z&exclude").body,
            "[+]a ok\nwarn: some health checks cannot be excluded: no matches for \"\",\"q\\\"\",\"z\"\n"
            "healthz check passed\n");
}

TEST(Health, ShowsNotesIfVerbose) {
  const Health health("readyz", {Passing("leaderElection", "there is none yet")});
  EXPECT_EQ(health.All("").body, "ok");
  EXPECT_EQ(health.All("verbose").body, "[+]leaderElection ok: there is none yet\nreadyz check passed\n");
}

}  // namespace
}  // namespace berth::serve
