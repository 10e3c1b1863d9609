// Which failures of a review cause a retry, and when calls end.
#include "cluster/access/review_call.h"

#include <gmock/gmock.h>

#include <deque>
#include <thread>

#include "access_rig.h"
#include "eventually.h"

namespace berth::access {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using namespace std::chrono_literals;

struct ReviewCallTest : testing::Test {
  base::VirtualClock clock{0};
  http::FakeTransport server;
  std::deque<http::Reply> replies;  // the last one stays
  ReviewLimits limits{.pause_jitter = 0};
  std::vector<int64_t> pauses_ms;
  int64_t reply_takes_ns = 0;

  ReviewCallTest() {
    server.answer = [this](const http::Request&) {
      clock.Advance(reply_takes_ns);
      http::Reply reply = replies.front();
      if (replies.size() > 1) replies.pop_front();
      return reply;
    };
  }
  ReviewCall Call() {
    return {server, clock, limits, [this](std::chrono::nanoseconds time, const std::stop_token& stop) {
              pauses_ms.push_back(time.count() / base::kMillisecond);
              clock.Advance(time.count());
              return !stop.stop_requested();
            }};
  }
  std::string Error(ReviewCall call) {
    const auto result = call.Create("/reviews", json::Value::MakeObject());
    return result ? "" : result.error().message;
  }
};

TEST_F(ReviewCallTest, SendsTheObjectAndReturnsTheServers) {
  replies = {http::ReplyOf(201, R"({"status":{"allowed":true}})")};
  ReviewCall call = Call();
  const auto result = call.Create("/reviews", json::Value::MakeObject({{"kind", "X"}}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_TRUE(result->FindPath("status.allowed")->boolean());
  ASSERT_THAT(server.requests(), SizeIs(1));
  const http::Request sent = server.requests()[0];
  EXPECT_EQ(sent.method + " " + sent.path + " " + sent.content_type + " " + sent.body,
            R"(POST /reviews application/json {"kind":"X"})");
}

TEST_F(ReviewCallTest, TriesAgainWhatFailsForTheMoment) {
  struct {
    const char* name;
    http::Reply reply;
    bool again;
  } const cases[] = {
      {"internal error", http::ReplyOf(500, Failure("InternalError", 500, "boom")), true},
      {"500 without a status", http::ReplyOf(500, "oops"), true},
      {"500 with another reason", http::ReplyOf(500, Failure("Unknown", 500, "boom")), false},
      {"504 without a status", http::ReplyOf(504), true},
      {"timeout", http::ReplyOf(504, Failure("Timeout", 504, "late")), true},
      {"server timeout", http::ReplyOf(500, Failure("ServerTimeout", 500, "late")), true},
      {"too many requests", http::ReplyOf(429, Failure("TooManyRequests", 429, "slow down")), true},
      {"unavailable", http::ReplyOf(503, Failure("ServiceUnavailable", 503, "no")), false},
      {"forbidden", http::ReplyOf(403, Failure("Forbidden", 403, "no")), false},
      {"unauthorized", http::ReplyOf(401, Failure("Unauthorized", 401, "Unauthorized")), false},
      {"reset", http::LostReply("Post \"https://h\": read tcp: connection reset by peer", true), true},
      {"refused", http::LostReply("Post \"https://h\": connect: connection refused", false), false},
      {"no JSON", http::ReplyOf(201, "<html>"), false},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    http::FakeTransport fresh;
    fresh.answer = [&](const http::Request&) { return one.reply; };
    pauses_ms.clear();
    ReviewCall call(fresh, clock, limits, [this](std::chrono::nanoseconds time, const std::stop_token&) {
      pauses_ms.push_back(time.count() / base::kMillisecond);
      return true;
    });
    EXPECT_FALSE(call.Create("/reviews", json::Value::MakeObject()));
    EXPECT_THAT(fresh.requests(), SizeIs(one.again ? 5 : 1));
    const std::vector<int64_t> pauses = {500, 750, 1125, 1687};
    EXPECT_EQ(pauses_ms, one.again ? pauses : std::vector<int64_t>());
  }
}

TEST_F(ReviewCallTest, ReturnsTheFirstSuccess) {
  replies = {http::ReplyOf(500), http::ReplyOf(500), http::ReplyOf(201, "{}")};
  EXPECT_EQ(Error(Call()), "");
  EXPECT_THAT(pauses_ms, ElementsAre(500, 750));
}

TEST_F(ReviewCallTest, WaitsAsLongAsTheServerRequests) {
  http::Reply busy = http::ReplyOf(503, Failure("ServiceUnavailable", 503, "starting"));
  busy.retry_after_seconds = 2;
  replies = {busy, http::ReplyOf(201, "{}")};
  EXPECT_EQ(Error(Call()), "");
  EXPECT_THAT(pauses_ms, ElementsAre(2000));
}

TEST_F(ReviewCallTest, JitterLengthensPausesByUpToAFifth) {
  limits.pause_jitter = 0.2;
  replies = {http::ReplyOf(500)};
  Error(Call());
  ASSERT_THAT(pauses_ms, SizeIs(4));
  EXPECT_THAT(pauses_ms[0], testing::AllOf(testing::Ge(500), testing::Lt(600)));
  EXPECT_THAT(pauses_ms[3], testing::AllOf(testing::Ge(1687), testing::Lt(2026)));
}

TEST_F(ReviewCallTest, TheTotalTimeEndsTries) {
  replies = {http::ReplyOf(500, Failure("InternalError", 500, "boom"))};
  reply_takes_ns = 4 * base::kSecond;
  EXPECT_EQ(Error(Call()), "boom");  // tries end at 4 s, 8.5 s, and 13.25 s
  EXPECT_THAT(server.requests(), SizeIs(3));
}

TEST_F(ReviewCallTest, AnAnswerThatDoesNotComeIsAnError) {
  replies = {http::ReplyOf(201, "{}")};
  server.hold = true;
  limits.try_time = 5ms;
  EXPECT_EQ(Error(Call()), "Post \"/reviews\": context deadline exceeded");
  EXPECT_TRUE(server.Release());  // no call waits for the late reply
}

TEST_F(ReviewCallTest, CloseEndsAWaitingCallAndAllLaterOnes) {
  replies = {http::ReplyOf(201, "{}")};
  server.hold = true;
  ReviewCall call = Call();
  std::string error;
  std::thread caller([&] { error = call.Create("/reviews", json::Value::MakeObject()).error().message; });
  ASSERT_TRUE(Eventually([&] { return !server.requests().empty(); }));
  call.Close();
  caller.join();
  EXPECT_EQ(error, "Post \"/reviews\": context canceled");
  EXPECT_FALSE(call.Create("/reviews", json::Value::MakeObject()));
  EXPECT_THAT(server.requests(), SizeIs(1));
  server.Close();
}

TEST_F(ReviewCallTest, TheRateIsLimited) {
  limits.qps = 10;
  limits.burst = 2;
  replies = {http::ReplyOf(201, "{}")};
  ReviewCall call = Call();
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(call.Create("/reviews", json::Value::MakeObject()));
  EXPECT_THAT(pauses_ms, ElementsAre(100, 100));
}

}  // namespace
}  // namespace berth::access
