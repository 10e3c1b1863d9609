#include "client/otlp/retry.h"

#include <gtest/gtest.h>

namespace berth::otlp {
namespace {

using namespace std::chrono_literals;

http::Reply Status(int status, std::optional<int64_t> retry_after = std::nullopt) {
  http::Reply reply;
  reply.status = status;
  reply.retry_after_seconds = retry_after;
  return reply;
}

TEST(Retry, OnlyTemporaryFailuresAreTriedAgain) {
  for (const int status : {0, 429, 502, 503, 504}) EXPECT_TRUE(WaitAfter(1, Status(status), 0s, {})) << status;
  for (const int status : {200, 400, 401, 403, 404, 413, 500, 501}) {
    EXPECT_FALSE(WaitAfter(1, Status(status), 0s, {})) << status;
  }
}

TEST(Retry, TheWaitDoublesUpToTheMost) {
  const RetryRules rules{.first = 1s, .most = 5s, .total = 1h};
  EXPECT_EQ(WaitAfter(1, Status(503), 0s, rules), 1s);
  EXPECT_EQ(WaitAfter(2, Status(503), 0s, rules), 2s);
  EXPECT_EQ(WaitAfter(3, Status(503), 0s, rules), 4s);
  EXPECT_EQ(WaitAfter(4, Status(503), 0s, rules), 5s);
  EXPECT_EQ(WaitAfter(1000, Status(503), 0s, rules), 5s);
}

TEST(Retry, RetryAfterMakesTheWaitLonger) {
  const RetryRules rules{.first = 2s, .most = 5s, .total = 1h};
  EXPECT_EQ(WaitAfter(1, Status(429, 60), 0s, rules), 60s);
  EXPECT_EQ(WaitAfter(1, Status(429, 1), 0s, rules), 2s);
  EXPECT_EQ(WaitAfter(1, Status(429, INT64_MAX), 0s, rules), 3600s);
}

TEST(Retry, TheTotalEndsIt) {
  const RetryRules rules{.first = 1s, .most = 5s, .total = 10s};
  EXPECT_TRUE(WaitAfter(1, Status(503), 9s, rules));
  EXPECT_FALSE(WaitAfter(1, Status(503), 9001ms, rules));
  EXPECT_FALSE(WaitAfter(1, Status(429, 11), 0s, rules));
}

}  // namespace
}  // namespace berth::otlp
