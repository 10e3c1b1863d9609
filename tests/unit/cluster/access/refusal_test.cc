// Bodies and headers of refusals, to the byte.
#include "cluster/access/refusal.h"

#include <gmock/gmock.h>

#include "access_rig.h"
#include "client/http/client_trust.h"

namespace berth::access {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Refusal, UnauthorizedIsAStatus) {
  const http::Answer answer = Unauthorized(Get("/metrics"));
  EXPECT_EQ(answer.status, 401);
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_EQ(answer.body,
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"Unauthorized",)"
            R"("reason":"Unauthorized","code":401})"
            "\n");
  EXPECT_THAT(answer.headers, IsEmpty());
}

TEST(Refusal, ForbiddenNamesUserVerbAndPath) {
  const Attributes attributes{{.name = "system:anonymous"}, "/metrics", "get"};
  const http::Answer answer = Forbidden(Get("/metrics"), attributes, "");
  EXPECT_EQ(answer.status, 403);
  EXPECT_EQ(answer.body, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
                         R"("message":"forbidden: User \"system:anonymous\" cannot get path \"/metrics\"",)"
                         R"("reason":"Forbidden","details":{},"code":403})"
                         "\n");
  EXPECT_THAT(answer.headers, ElementsAre(testing::Pair("X-Content-Type-Options", "nosniff")));
}

TEST(Refusal, ForbiddenEscapesWhatTheClientChooses) {
  const Attributes attributes{{.name = "<b>&\"\n"}, "/<script>", "get"};
  const http::Answer answer = Forbidden(Get("/"), attributes, "see <here>");
  EXPECT_EQ(json::TextAt(*json::Parse(answer.body), "message"),
            "forbidden: User \"&lt;b&gt;&amp;\\\"\\n\" cannot get path \"/&lt;script&gt;\": see <here>");
}

TEST(Refusal, PeopleGetIndentedJson) {
  struct {
    const char *query, *agent;
    bool want;
  } const cases[] = {
      {"", "curl/8.0", true},          {"", "Wget/1", true},
      {"", "Mozilla/5.0 (X11)", true}, {"", "Go-http-client", false},
      {"pretty=true", "", true},       {"a=b&pretty=1", "", true},
      {"pretty=0", "curl/8.0", false}, {"pretty=x", "curl/8.0", false},
      {"pretty=", "curl/8.0", true},   {"notpretty=1", "", false},
  };
  for (const auto& one : cases) {
    http::Incoming request = Get("/", {{"user-agent", one.agent}});
    request.query = one.query;
    EXPECT_EQ(Unauthorized(request).body.starts_with("{\n  \"kind\""), one.want) << one.query << " " << one.agent;
  }
}

TEST(Refusal, InternalErrorIsText) {
  http::Incoming request = Get("/metrics");
  request.query = "a=<b>";
  const http::Answer answer = InternalError(request, "Post \"https://h\": EOF");
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.content_type, "text/plain; charset=utf-8");
  EXPECT_EQ(answer.body, "Internal Server Error: \"/metrics?a=&lt;b&gt;\": Post \"https://h\": EOF\n");
  EXPECT_THAT(answer.headers, ElementsAre(testing::Pair("X-Content-Type-Options", "nosniff")));
}

}  // namespace
}  // namespace berth::access
