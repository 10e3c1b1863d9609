#include "cluster/access/request_header.h"

#include <gmock/gmock.h>

#include "access_rig.h"
#include "cluster/access/bearer_token.h"

namespace berth::access {
namespace {

using testing::ElementsAre;

TEST(RequestHeader, ReadsTheUser) {
  RequestHeaderNames names = StandardHeaderNames();
  names.usernames = {"X-First", "X-Remote-User"};
  names.extra_prefixes = {"X-Remote-Extra-", "x-more-"};
  const http::Headers headers = {{"x-first", ""},
                                 {"x-remote-user", "alice"},
                                 {"x-remote-user", "bob"},
                                 {"x-remote-uid", "u-1"},
                                 {"x-remote-group", "dev"},
                                 {"x-remote-group", ""},
                                 {"x-remote-group", "ops"},
                                 {"x-remote-extra-acme.com%2fproject", "p"},
                                 {"x-remote-extra-bad%zz", "q"},
                                 {"x-more-scopes", "a"},
                                 {"x-remote-extra-scopes", "b"}};
  const AuthenticationResult result = UserOfHeaders(headers, names);
  ASSERT_TRUE(result.user);
  EXPECT_EQ(
      *result.user,
      (User{"alice", "u-1", {"dev", "ops"}, {{"acme.com/project", {"p"}}, {"bad%zz", {"q"}}, {"scopes", {"b", "a"}}}}));
}

TEST(RequestHeader, NoNameIsNoUser) {
  EXPECT_FALSE(UserOfHeaders({{"x-remote-group", "system:masters"}}, StandardHeaderNames()).user);
  EXPECT_FALSE(UserOfHeaders({{"x-remote-user", "alice"}}, RequestHeaderNames()).user);
}

TEST(RequestHeader, RemovesWhatNamesAUser) {
  http::Headers headers = {{"x-remote-user", "a"}, {"accept", "*/*"},        {"x-remote-group", "b"},
                           {"x-remote-uid", "c"},  {"x-remote-extra-d", ""}, {"x-remote", "e"}};
  RemoveUserHeaders(headers, StandardHeaderNames());
  EXPECT_THAT(headers, ElementsAre(testing::Pair("accept", "*/*"), testing::Pair("x-remote", "e")));
}

TEST(BearerToken, IsTheSecondWord) {
  struct {
    const char *header, *want;
  } const cases[] = {
      {"Bearer abc", "abc"}, {"bearer abc", "abc"}, {"BEARER abc def", "abc"}, {"  Bearer abc ", "abc"},
      {"Bearer", ""},        {"Bearer ", ""},       {"Bearer  abc", ""},       {"Bearer\tabc", ""},
      {"Basic abc", ""},     {"Bearerx abc", ""},   {"Beare abc", ""},         {"", ""},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(BearerTokenOf(Get("/", {{"authorization", one.header}})).Reveal(), one.want) << one.header;
  }
  EXPECT_TRUE(BearerTokenOf(Get("/")).empty());
}

}  // namespace
}  // namespace berth::access
