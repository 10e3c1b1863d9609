#include "cluster/access/allowed_paths.h"

#include <gtest/gtest.h>

namespace berth::access {
namespace {

// Rows of k8s.io/apiserver's TestNewAuthorizer are among these.
TEST(AllowedPaths, MatchExactlyOrByTheirBeginning) {
  struct {
    std::vector<std::string> rules;
    const char* path;
    bool want;
  } const cases[] = {
      {{"/healthz"}, "/healthz", true},
      {{"/healthz"}, "healthz", true},
      {{"healthz"}, "/healthz", true},
      {{"/healthz"}, "/healthz/", false},
      {{"/healthz"}, "/healthz/ping", false},
      {{"/healthz"}, "//healthz", false},
      {{"/healthz"}, "/Healthz", false},
      {{"/healthz/*"}, "/healthz/ping", true},
      {{"/healthz/*"}, "/healthz", false},
      {{"/healthz*"}, "/healthz", true},
      {{"/*"}, "/anything", true},
      {{"*"}, "/", true},
      {{"/"}, "/", true},
      {{"/"}, "/x", false},
      {{""}, "/", true},
      {{}, "/healthz", false},
      {{"/a", "/b*"}, "/bc", true},
  };
  for (const auto& one : cases) {
    const auto paths = AllowedPaths::Parse(one.rules);
    ASSERT_TRUE(paths);
    EXPECT_EQ(paths->Allow(one.path), one.want) << testing::PrintToString(one.rules) << " " << one.path;
  }
}

TEST(AllowedPaths, OnlyATrailingStarIsAllowed) {
  EXPECT_EQ(AllowedPaths::Parse({"/ok", "/a*b"}).error().message, "only trailing * allowed in \"a*b\"");
  EXPECT_FALSE(AllowedPaths::Parse({"/a**"}));
}

}  // namespace
}  // namespace berth::access
