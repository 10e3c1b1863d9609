#include "cluster/serve/routes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::serve {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Pair;

Handler Saying(const std::string& text) {
  return [text](const http::Incoming& request) { return http::Answer{.body = text + " " + request.path}; };
}

TEST(Routes, ServeTheExactPathOrTheLongestPrefix) {
  Routes routes;
  routes.Add({.path = "/a", .handler = Saying("exact")});
  routes.Add({.path = "/a/", .prefix = true, .handler = Saying("prefix")});
  routes.Add({.path = "/a/b/", .prefix = true, .handler = Saying("deep prefix")});
  routes.Add({.path = "/a/b/c", .handler = Saying("deep exact")});
  const struct {
    const char* path;
    const char* want;
  } cases[] = {
      {"/a", "exact /a"},
      {"/%61", "exact /a"},
      {"/a/", "prefix /a/"},
      {"/a/x", "prefix /a/x"},
      {"/a/b", "prefix /a/b"},
      {"/a/b/", "deep prefix /a/b/"},
      {"/a/b/c", "deep exact /a/b/c"},
      {"/a/b/c/", "deep prefix /a/b/c/"},
      {"/ab", "404 page not found\n"},
      {"", "404 page not found\n"},
  };
  for (const auto& c : cases) EXPECT_EQ(routes.Serve({.path = c.path}).body, c.want) << c.path;
}

TEST(Routes, UnknownPathsHaveThePlainAnswerOfGo) {
  const http::Answer answer = Routes().Serve({.path = "/x"});
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.content_type, "text/plain; charset=utf-8");
  EXPECT_THAT(answer.headers, ElementsAre(Pair("X-Content-Type-Options", "nosniff")));
}

TEST(Routes, RefuseOtherMethods) {
  Routes routes;
  routes.Add({.path = "/get", .methods = {"GET", "HEAD"}, .handler = Saying("get")});
  routes.Add({.path = "/any", .handler = Saying("any")});
  EXPECT_EQ(routes.Serve({.method = "HEAD", .path = "/get"}).status, 200);
  EXPECT_EQ(routes.Serve({.method = "PUT", .path = "/any"}).status, 200);
  const http::Answer refused = routes.Serve({.method = "PUT", .path = "/get"});
  EXPECT_EQ(refused.status, 405);
  EXPECT_THAT(refused.headers, Contains(Pair("Allow", "GET, HEAD")));
}

TEST(Routes, TheLastOneWithAPathCounts) {
  Routes routes;
  routes.Add({.path = "/b", .handler = Saying("old")});
  routes.Add({.path = "/a", .listed = false, .handler = Saying("hidden")});
  routes.Add({.path = "/c", .handler = Saying("c")});
  routes.Add({.path = "/b", .handler = Saying("new")});
  EXPECT_EQ(routes.Serve({.path = "/b"}).body, "new /b");
  EXPECT_THAT(routes.ListedPaths(), ElementsAre("/b", "/c"));
}

}  // namespace
}  // namespace berth::serve
