// Requests through all filters, as the flags configure them: the statuses and bodies for given credentials and answers
// of the API server, and which requests are prompt.
#include "cluster/access/access_filter.h"

#include <gmock/gmock.h>

#include <mutex>
#include <thread>

#include "access_rig.h"
#include "eventually.h"
#include "telemetry/log/capture.h"

namespace berth::access {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

struct AccessFilterTest : testing::Test {
  base::VirtualClock clock{0};
  ApiServer server;
  log::Capture logged;
  options::Authentication authentication;
  options::Authorization authorization;
  ReviewLimits limits{.tries = 1};
  std::mutex handled_mutex;
  std::vector<http::Incoming> handled;
  http::Answer handler_answer{.body = "served"};
  metrics::Registry registry;
  metrics::AccessMetrics metrics{registry};
  std::unique_ptr<Delegation> delegation;
  std::unique_ptr<Filter> filter;

  AccessFilterTest() {
    server.settings = http::ReplyOf(
        200, R"({"metadata":{"name":"extension-apiserver-authentication","resourceVersion":"1"},"data":{)"
             R"("client-ca-file":"CA a","requestheader-client-ca-file":"CA p",)"
             R"("requestheader-username-headers":"[\"X-Remote-User\"]",)"
             R"("requestheader-group-headers":"[\"X-Remote-Group\"]","requestheader-allowed-names":"[\"front\"]"}})");
  }
  void Make() {
    auto made = Delegation::Make(authentication, authorization,
                                 {&server.transport, &server.transport, &clock, MakeFakeVerifier, limits, &metrics});
    ASSERT_TRUE(made) << made.error().message;
    delegation = std::move(*made);
    filter = std::make_unique<Filter>(
        delegation->authentication(), delegation->authorization(),
        [this](const http::Incoming& request) {
          std::lock_guard lock(handled_mutex);
          handled.push_back(request);
          return handler_answer;
        },
        &metrics);
  }
  size_t Reviews() const { return server.CountOf(kTokenPath) + server.CountOf(kAccessPath); }
};

TEST_F(AccessFilterTest, AnswersAsCredentialsAndReviewsSay) {
  const auto denied = [](const std::string& user, const std::string& what) {
    return R"("message":"forbidden: User \")" + user + R"(\" cannot )" + what;
  };
  const std::string unauthorized = R"("message":"Unauthorized","reason":"Unauthorized","code":401})";
  struct {
    const char* name;
    http::Incoming request;
    int status;
    std::string body;
    std::string method = "GET";
  } const cases[] = {
      {"anonymous on a health path", Get("/healthz"), 200, "served"},
      {"anonymous below a health path", Get("/healthz/ping"), 403,
       denied("system:anonymous", R"(get path \"/healthz/ping\"")")},
      {"anonymous on metrics", Get("/metrics"), 403, denied("system:anonymous", R"(get path \"/metrics\"")")},
      {"token that may", Get("/metrics", Bearer("alice")), 200, "served"},
      {"token that may not", Get("/configz", Bearer("alice")), 403, denied("alice", R"(get path \"/configz\"")")},
      {"token that may not write", Get("/metrics/x", Bearer("alice")), 403,
       denied("alice", R"(delete path \"/metrics/x\"")"), "DELETE"},
      {"token of a master", Get("/anything", Bearer("master")), 200, "served"},
      {"bad token", Get("/metrics", Bearer("bad")), 401, unauthorized},
      {"bad token on a health path", Get("/healthz", Bearer("bad")), 401, unauthorized},
      {"token refused without a reason", Get("/healthz", Bearer("silent")), 401, unauthorized},
      {"certificate of a master", WithCertificate(Get("/configz"), "a/root/system:masters"), 200, "served"},
      {"certificate of alice", WithCertificate(Get("/metrics"), "a/alice"), 200, "served"},
      {"certificate of bob", WithCertificate(Get("/metrics"), "a/bob"), 403,
       denied("bob", R"(get path \"/metrics\"")")},
      {"certificate of another CA", WithCertificate(Get("/healthz"), "z/root/system:masters"), 401, unauthorized},
      {"proxy for alice", WithCertificate(Get("/metrics", {{"x-remote-user", "alice"}}), "p/front"), 200, "served"},
      {"proxy for a master",
       WithCertificate(Get("/configz", {{"x-remote-user", "x"}, {"x-remote-group", "system:masters"}}), "p/front"), 200,
       "served"},
      {"headers of a proxy without its certificate",
       Get("/configz", {{"x-remote-user", "x"}, {"x-remote-group", "system:masters"}}), 403,
       denied("system:anonymous", R"(get path \"/configz\"")")},
      {"reason of the server", Get("/reason", Bearer("alice")), 403, R"(cannot get path \"/reason\": not you")"},
      {"allowed and denied", Get("/torn", Bearer("alice")), 500,
       "Internal Server Error: \"/torn\": webhook subject access review returned both allow and deny response\n"},
      {"encoded path", Get("/met%72ics", Bearer("alice")), 200, "served"},
      {"encoded health path", Get("/health%7A"), 200, "served"},
      {"path that is not encoded as it should be", Get("/healthz%z"), 400, "400 Bad Request"},
  };
  Make();
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    handled.clear();
    http::Incoming request = one.request;
    request.method = one.method;
    const http::Answer answer = filter->Serve(request);
    EXPECT_EQ(answer.status, one.status);
    EXPECT_THAT(answer.body, HasSubstr(one.body));
    EXPECT_THAT(answer.headers, Contains(testing::Pair("Cache-Control", "no-cache, private")));
    EXPECT_EQ(handled.size(), one.status == 200 ? 1u : 0u);
  }
}

TEST_F(AccessFilterTest, AFailedTokenReviewIs401AndAFailedAccessReview500) {
  Make();
  const http::Reply lost = http::LostReply("Post \"https://h\": connect: connection refused", false);
  server.instead[kAccessPath] = lost;
  const http::Answer answer = filter->Serve(Get("/metrics", Bearer("alice")));
  EXPECT_EQ(answer.status, 500);
  EXPECT_EQ(answer.body, "Internal Server Error: \"/metrics\": Post \"https://h\": connect: connection refused\n");
  EXPECT_EQ(filter->Serve(Get("/healthz", Bearer("alice"))).status, 200);
  server.instead[kTokenPath] = lost;
  EXPECT_EQ(filter->Serve(Get("/healthz", Bearer("master"))).status, 401);
  EXPECT_EQ(filter->Serve(Get("/healthz")).status, 200);
  EXPECT_THAT(logged.Messages(), Contains(HasSubstr("\"Unable to authenticate the request\" err=")));
  EXPECT_THAT(logged.Messages(), Each(Not(HasSubstr("master"))));
}

TEST_F(AccessFilterTest, TheHandlerKeepsItsCacheControlAndSeesNoCredentials) {
  handler_answer.headers = {{"cache-control", "max-age=5"}};
  Make();
  const http::Answer answer = filter->Serve(Get("/metrics", Bearer("alice")));
  EXPECT_EQ(answer.headers, (http::Headers{{"cache-control", "max-age=5"}}));
  ASSERT_EQ(handled.size(), 1u);
  EXPECT_EQ(handled[0].Header("authorization"), "");
  EXPECT_EQ(handled[0].path, "/metrics");
}

TEST_F(AccessFilterTest, ReviewsAreKeptForTheirTimes) {
  authentication.token_webhook_cache_ttl = std::chrono::seconds(4);
  authorization.webhook_cache_authorized_ttl = std::chrono::seconds(8);
  Make();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(filter->Serve(Get("/metrics", Bearer("alice"))).status, 200);
  EXPECT_EQ(Reviews(), 2u);
  clock.Advance(4 * base::kSecond);
  EXPECT_EQ(filter->Serve(Get("/metrics", Bearer("alice"))).status, 200);
  EXPECT_EQ(server.CountOf(kTokenPath), 2u);
  EXPECT_EQ(server.CountOf(kAccessPath), 1u);
  clock.Advance(4 * base::kSecond);
  EXPECT_EQ(filter->Serve(Get("/metrics", Bearer("alice"))).status, 200);
  EXPECT_EQ(server.CountOf(kAccessPath), 2u);
}

TEST_F(AccessFilterTest, ATokenIsReviewedOnceForFiftyRequestsAtTheSameTime) {
  Make();
  server.transport.hold = true;
  std::atomic<int> served{0};
  {
    std::vector<std::jthread> clients;
    for (int i = 0; i < 50; ++i) {
      clients.emplace_back([&] { served += filter->Serve(Get("/healthz", Bearer("alice"))).status == 200 ? 1 : 0; });
    }
    ASSERT_TRUE(Eventually([&] { return server.CountOf(kTokenPath) == 1; }));
    while (!server.transport.Release()) std::this_thread::yield();
  }
  EXPECT_EQ(served, 50);
  EXPECT_EQ(server.CountOf(kTokenPath), 1u);
}

TEST_F(AccessFilterTest, MetricsCountRequestsLookupsAndReviews) {
  Make();
  EXPECT_EQ(filter->Serve(Get("/metrics", Bearer("alice"))).status, 200);
  EXPECT_EQ(filter->Serve(Get("/metrics", Bearer("alice"))).status, 200);
  EXPECT_EQ(filter->Serve(Get("/metrics", Bearer("nobody"))).status, 401);
  EXPECT_EQ(filter->Serve(Get("/configz")).status, 403);
  const std::string text = registry.Text();
  for (const char* line :
       {"authentication_attempts{result=\"success\"} 3\n", "authenticated_user_requests{username=\"other\"} 3\n",
        "authentication_token_cache_request_total{status=\"hit\"} 1\n",
        "authentication_token_cache_request_total{status=\"miss\"} 2\n",
        "authentication_token_cache_active_fetch_count{status=\"blocked\"} 0\n",
        "authorization_attempts_total{result=\"allowed\"} 2\n",
        "apiserver_delegated_authn_request_total{code=\"201\"} 2\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST_F(AccessFilterTest, PromptIsWhatNeedsNoRequestToTheServer) {
  Make();
  const size_t before = Reviews();
  EXPECT_TRUE(filter->IsPrompt(Get("/healthz")));
  EXPECT_TRUE(filter->IsPrompt(Get("/livez")));
  EXPECT_TRUE(filter->IsPrompt(Get("/%zz")));
  EXPECT_FALSE(filter->IsPrompt(Get("/healthz/ping")));
  EXPECT_FALSE(filter->IsPrompt(Get("/metrics")));
  EXPECT_FALSE(filter->IsPrompt(Get("/healthz", Bearer("alice"))));
  EXPECT_FALSE(filter->IsPrompt(WithCertificate(Get("/healthz"), "a/alice")));
  EXPECT_EQ(Reviews(), before);
  filter->Serve(Get("/healthz", Bearer("alice")));
  EXPECT_TRUE(filter->IsPrompt(Get("/healthz", Bearer("alice"))));
  EXPECT_FALSE(filter->IsPrompt(Get("/metrics", Bearer("alice"))));
  filter->Serve(Get("/metrics", Bearer("alice")));
  EXPECT_TRUE(filter->IsPrompt(Get("/metrics", Bearer("alice"))));
  clock.Advance(9 * base::kSecond);  // it would expire before the request is served
  EXPECT_FALSE(filter->IsPrompt(Get("/metrics", Bearer("alice"))));
  filter->Serve(Get("/metrics"));
  EXPECT_TRUE(filter->IsPrompt(Get("/metrics")));
}

TEST_F(AccessFilterTest, PromptRequestsAreServedWhileTheServerDoesNotAnswer) {
  Make();
  server.transport.hold = true;
  std::jthread waiting([&] { EXPECT_EQ(filter->Serve(Get("/metrics", Bearer("alice"))).status, 401); });
  ASSERT_TRUE(Eventually([&] { return server.CountOf(kTokenPath) == 1; }));
  ASSERT_TRUE(filter->IsPrompt(Get("/healthz")));
  EXPECT_EQ(filter->Serve(Get("/healthz")).status, 200);
  delegation->Close();  // ends the waiting one
  waiting.join();
  server.transport.Close();
}

TEST_F(AccessFilterTest, WithoutAServerAllAreAnonymousAndOnlyAllowedPathsAreServed) {
  auto made = Delegation::Make(authentication, authorization, {nullptr, nullptr, &clock, MakeFakeVerifier, limits});
  ASSERT_TRUE(made);
  const Filter alone((*made)->authentication(), (*made)->authorization(),
                     [](const http::Incoming&) { return http::Answer{.body = "served"}; });
  EXPECT_EQ(alone.Serve(Get("/healthz", Bearer("bad"))).status, 200);
  EXPECT_THAT(alone.Serve(Get("/metrics", Bearer("alice"))).body, HasSubstr("system:anonymous"));
  EXPECT_TRUE(alone.IsPrompt(Get("/metrics", Bearer("alice"))));
}

}  // namespace
}  // namespace berth::access
