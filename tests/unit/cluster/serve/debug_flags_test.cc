// The answers are those of k8s.io/apiserver v0.36.3 pkg/server/routes to the same requests.
#include "cluster/serve/debug_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/log/log.h"

namespace berth::serve {
namespace {

using testing::Contains;
using testing::Pair;

class DebugFlags : public testing::Test {
 protected:
  void SetUp() override { AddDebugFlags(routes); }
  void TearDown() override { log::SetVerbosity(0); }
  Routes routes;
};

TEST_F(DebugFlags, PutSetsTheVerbosity) {
  const struct {
    std::string body, want;
    int status = 400;
    int verbosity = 0;
  } cases[] = {
      {"3", "successfully set klog.logging.verbosity to 3\n", 200, 3},
      {"0", "successfully set klog.logging.verbosity to 0\n", 200, 0},
      {"007", "successfully set klog.logging.verbosity to 007\n", 200, 7},
      {"", "strconv.ParseUint: parsing \"\": invalid syntax\n"},
      {"x", "strconv.ParseUint: parsing \"x\": invalid syntax\n"},
      {"-1", "strconv.ParseUint: parsing \"-1\": invalid syntax\n"},
      {"+3", "strconv.ParseUint: parsing \"+3\": invalid syntax\n"},
      {" 3", "strconv.ParseUint: parsing \" 3\": invalid syntax\n"},
      {"3\n", "strconv.ParseUint: parsing \"3\\n\": invalid syntax\n"},
      {"4294967296", "strconv.ParseUint: parsing \"4294967296\": value out of range\n"},
      {"2147483648",
       "failed set klog.logging.verbosity 2147483648: strconv.ParseInt: parsing \"2147483648\": value out of range\n"},
  };
  for (const auto& c : cases) {
    log::SetVerbosity(0);
    const http::Answer answer = routes.Serve({.method = "PUT", .path = "/debug/flags/v", .body = c.body});
    EXPECT_EQ(answer.status, c.status) << c.body;
    EXPECT_EQ(answer.body, c.want) << c.body;
    EXPECT_EQ(answer.content_type, "text/plain");
    EXPECT_THAT(answer.headers, Contains(Pair("X-Content-Type-Options", "nosniff")));
    EXPECT_EQ(log::Verbosity(), c.verbosity) << c.body;
  }
}

TEST_F(DebugFlags, OtherMethodsAreNotAcceptable) {
  for (const char* method : {"GET", "POST", "DELETE"}) {
    const http::Answer answer = routes.Serve({.method = method, .path = "/debug/flags/v", .body = "3"});
    EXPECT_EQ(answer.status, 406) << method;
    EXPECT_EQ(answer.body, "unsupported http method\n") << method;
  }
  EXPECT_EQ(log::Verbosity(), 0);
}

TEST_F(DebugFlags, TheIndexListsTheFlag) {
  for (const char* path : {"/debug/flags", "/debug/flags/", "/debug/flags/x"}) {
    const http::Answer answer = routes.Serve({.path = path});
    EXPECT_EQ(answer.status, 200) << path;
    EXPECT_EQ(answer.content_type, "text/html; charset=utf-8") << path;
    EXPECT_EQ(answer.body,
              "<html>\n<head>\n<title>/debug/flags/</title>\n</head>\n<body>\n/debug/flags/<br>\n<br>\nflags:<br>\n"
              "<table>\n<tr>v<br>\n</table>\n<br>\nfull flags configurable<br>\n</body>\n</html>\n");
  }
}

}  // namespace
}  // namespace berth::serve
