// The text of a report, and its exit code.
#include "cmd/berthctl/validate/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::validate {
namespace {

Report With(std::initializer_list<Status> statuses) {
  Report report{.path = "x.so", .sha256 = "ab", .version = "1.0.0", .seed = 7, .entries = {}};
  for (const Status status : statuses)
    report.entries.push_back({.rule = "BP-1", .title = "a title", .status = status, .texts = {"a text"}, .took_ms = 3});
  return report;
}

TEST(Report, HasTheExitCodeOfTheWorst) {
  EXPECT_EQ(With({}).ExitCode(), 0);
  EXPECT_EQ(With({Status::kOk, Status::kNotApplicable}).ExitCode(), 0);
  EXPECT_EQ(With({Status::kWarning, Status::kOk}).ExitCode(), 1);
  EXPECT_EQ(With({Status::kWarning, Status::kFailed}).ExitCode(), 2);
  EXPECT_EQ(With({Status::kCrashed, Status::kFailed}).ExitCode(), 3);
  EXPECT_EQ(With({Status::kTimeout, Status::kCrashed, Status::kNotApplicable}).ExitCode(), 4);
}

TEST(Report, CountsInItsLastLine) {
  EXPECT_THAT(ToText(With({Status::kOk, Status::kOk, Status::kTimeout})),
              testing::EndsWith("2 ok, 1 timeout; seed 7\n"));
}

TEST(Report, IsJsonToo) {
  const json::Value value = ToJson(With({Status::kFailed}));
  EXPECT_EQ(value.Find("result")->string(), "failed");
  const json::Value& rule = value.Find("rules")->array().at(0);
  EXPECT_EQ(rule.Find("status")->string(), "failed");
  EXPECT_EQ(rule.Find("texts")->array().at(0).string(), "a text");
  EXPECT_EQ(rule.Find("milliseconds")->integer(), 3);
}

}  // namespace
}  // namespace berth::validate
