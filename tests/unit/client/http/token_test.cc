// The client sends the token with each request, and it appears nowhere else.
#include <gmock/gmock.h>

#include <atomic>

#include "client.h"
#include "raw_server.h"
#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"

namespace berth::http {
namespace {

using std::chrono::milliseconds;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(Send, AsksForTheTokenWithEachRequest) {
  std::vector<std::string> seen;
  RawServer server(Answering([&](ServerConnection& c, const SeenRequest& request) {
    seen.push_back(request.header("Authorization"));
    c.WriteReply(200, "");
  }));
  int calls = 0;
  auto client = Client(server.url(), [&](ClientOptions& o) {
    o.authorization = [&calls]() -> base::Result<std::string> {
      ++calls;
      return calls == 2 ? "" : "Bearer token-" + std::to_string(calls);
    };
  });
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Get(*client).status, 200);
  EXPECT_EQ(seen, (std::vector<std::string>{"Bearer token-1", "", "Bearer token-3"}));
}

TEST(Send, ReportsThatTheServerRejectedTheToken) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest& request) {
    c.WriteReply(request.header("Authorization") == "Bearer new" ? 200 : 401, "");
  }));
  std::atomic<bool> refused{false};
  auto client = Client(server.url(), [&](ClientOptions& o) {
    o.authorization = [&]() -> base::Result<std::string> { return refused ? "Bearer new" : "Bearer old"; };
    o.unauthorized = [&] { refused = true; };
  });
  EXPECT_EQ(Get(*client).status, 401);
  EXPECT_TRUE(refused);
  EXPECT_EQ(Get(*client).status, 200);
}

TEST(Send, AMissingTokenIsAnErrorOfTheRequest) {
  RawServer server(Answering([](ServerConnection& c, const SeenRequest&) { c.WriteReply(200, ""); }));
  auto client = Client(server.url(), [](ClientOptions& o) {
    o.authorization = []() -> base::Result<std::string> { return base::Fail("cannot open token file"); };
  });
  const Reply reply = Get(*client);
  EXPECT_EQ(reply.status, 0);
  EXPECT_THAT(reply.error, EndsWith(": cannot open token file"));
  EXPECT_FALSE(reply.maybe_delivered);
  EXPECT_EQ(server.connections(), 0);
}

TEST(Send, ErrorsAndLogsContainNoToken) {
  ASSERT_TRUE(log::Init({.verbosity = 10}).has_value());
  log::Capture capture;
  std::vector<std::string> errors;
  auto ask = [&](const std::string& url, const std::string& token, const std::string& path) {
    auto client = Client(url, [&](ClientOptions& o) {
      o.timeout = milliseconds(200);
      o.max_body_bytes = 10;
      o.authorization = [token]() -> base::Result<std::string> { return token; };
    });
    errors.push_back(Get(*client, path).error);
  };
  RawServer server([](ServerConnection& c) {
    SeenRequest request;
    c.Read(request);
    if (request.line().find("/silent") != std::string::npos) c.WaitForClose();
    if (request.line().find("/large") != std::string::npos) c.WriteReply(200, std::string(100, 'x'));
    if (request.line().find("/echo") != std::string::npos) c.Write(request.head + "\r\n\r\n");
  });
  ask("http://127.0.0.1:" + std::to_string(ClosedPort()), "Bearer s3cret", "/x");
  for (const char* path : {"/cut", "/silent", "/large", "/echo", "/bad path"}) ask(server.url(), "Bearer s3cret", path);
  ask(server.url(), "Bearer s3cret\r\nX-Injected: 1", "/x");
  ask(server.url(), std::string("Bearer s3cret\0", 14), "/x");
  EXPECT_EQ(Get(*Client(server.url()), "/large").status, 200);  // causes a line in the log
  ASSERT_TRUE(log::Init({}).has_value());
  EXPECT_EQ(errors.size(), 8U);
  for (const std::string& error : errors) EXPECT_THAT(error, AllOf(Not(""), Not(HasSubstr("s3cret"))));
  EXPECT_THAT(errors[6], EndsWith("the value for the Authorization header holds a control character"));
  const std::vector<std::string> lines = capture.Lines();
  EXPECT_FALSE(lines.empty());
  for (const std::string& line : lines) EXPECT_THAT(line, Not(HasSubstr("s3cret")));
}

}  // namespace
}  // namespace berth::http
