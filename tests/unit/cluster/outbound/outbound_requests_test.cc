// Requests of plugins to a server on loopback.
#include "cluster/outbound/outbound_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "../../client/http/raw_server.h"

namespace berth::outbound {
namespace {

using http::RawServer;
using http::SeenRequest;
using http::ServerConnection;
using testing::HasSubstr;

constexpr int64_t kTimeout = 5'000'000'000;

// The answer, or a failure after ten seconds.
plugin::ApiAnswer Await(OutboundRequests& requests, plugin::HttpRequest request) {
  auto answered = std::make_shared<std::promise<plugin::ApiAnswer>>();
  auto answer = answered->get_future();
  requests.Get(std::move(request), [answered](plugin::ApiAnswer given) { answered->set_value(std::move(given)); });
  if (answer.wait_for(std::chrono::seconds(10)) != std::future_status::ready) {
    ADD_FAILURE() << "there is no answer";
    return {};
  }
  return answer.get();
}

struct OneRequest {
  SeenRequest seen;
  RawServer server{[this](ServerConnection& connection) {
    if (connection.Read(seen)) connection.WriteReply(status, body);
  }};
  int status = 200;
  std::string body = "{}";
};

TEST(OutboundRequests, SendsTheUrlAndReturnsTheBody) {
  OneRequest one;
  one.body = R"({"up":1})";
  OutboundRequests requests;
  const auto answer = Await(requests, {.url = one.server.url() + "/a/b?query=up%5B15m%5D", .timeout_ns = kTimeout});
  EXPECT_EQ(answer.code, 200);
  EXPECT_EQ(answer.body, R"({"up":1})");
  EXPECT_EQ(answer.message, "");
  EXPECT_EQ(one.seen.line(), "GET /a/b?query=up%5B15m%5D HTTP/1.1");
  EXPECT_EQ(one.seen.header("Authorization"), "");
}

TEST(OutboundRequests, SendsAuthorization) {
  OneRequest one;
  OutboundRequests requests;
  Await(requests, {.url = one.server.url(), .authorization = "Bearer secret", .timeout_ns = kTimeout});
  EXPECT_EQ(one.seen.line(), "GET / HTTP/1.1");
  EXPECT_EQ(one.seen.header("Authorization"), "Bearer secret");
}

TEST(OutboundRequests, ReturnsTheStatusOfARefusal) {
  OneRequest one;
  one.status = 503;
  OutboundRequests requests;
  const auto answer = Await(requests, {.url = one.server.url() + "?x=1", .timeout_ns = kTimeout});
  EXPECT_EQ(answer.code, 503);
  EXPECT_EQ(one.seen.line(), "GET /?x=1 HTTP/1.1");
}

TEST(OutboundRequests, SaysWhyThereIsNoAnswer) {
  std::string url;
  {
    url = RawServer([](ServerConnection&) {}).url();
  }  // nobody listens there any more
  OutboundRequests requests;
  const auto refused = Await(requests, {.url = url + "/watcher", .timeout_ns = kTimeout});
  EXPECT_EQ(refused.code, 0);
  EXPECT_THAT(refused.message, HasSubstr("Get \"" + url + "/watcher\": dial tcp"));
  EXPECT_THAT(refused.message, HasSubstr("connection refused"));
  EXPECT_THAT(Await(requests, {.url = "ftp://x/", .timeout_ns = kTimeout}).message, HasSubstr("ftp://x"));
}

TEST(OutboundRequests, EndsAfterTheTimeout) {
  RawServer silent([](ServerConnection& connection) { connection.WaitForClose(); });
  OutboundRequests requests;
  const auto answer = Await(requests, {.url = silent.url(), .timeout_ns = 50'000'000});
  EXPECT_EQ(answer.code, 0);
  EXPECT_NE(answer.message, "");
}

TEST(OutboundRequests, WithoutAThreadTheReplyIsAnError) {
  OutboundRequests requests(0);
  plugin::ApiAnswer answer{.code = 200};
  requests.Get({.url = "http://127.0.0.1:1", .timeout_ns = kTimeout},
               [&](plugin::ApiAnswer given) { answer = std::move(given); });
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.message, "the system gives the scheduler no thread for the request");
}

TEST(OutboundRequests, CloseEndsOpenAndWaitingAndLaterRequests) {
  std::promise<void> arrived;
  RawServer silent([&](ServerConnection& connection) {
    SeenRequest request;
    connection.Read(request);
    arrived.set_value();
    connection.WaitForClose();
  });
  OutboundRequests requests(1);
  std::vector<plugin::ApiAnswer> answers;  // on the only thread, and then on this one
  const auto get = [&] {
    requests.Get({.url = silent.url(), .timeout_ns = 60'000'000'000},
                 [&](plugin::ApiAnswer given) { answers.push_back(std::move(given)); });
  };
  get();
  arrived.get_future().wait();
  get();  // waits for the thread
  requests.Close();
  ASSERT_EQ(answers.size(), 2u);
  EXPECT_EQ(answers[0].code, 0);
  EXPECT_NE(answers[0].message, "");
  EXPECT_EQ(answers[1].code, 0);
  EXPECT_EQ(answers[1].message, "the scheduler is ending");
  get();
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[2].code, 0);
  EXPECT_EQ(answers[2].message, "the scheduler is ending");
}

}  // namespace
}  // namespace berth::outbound
