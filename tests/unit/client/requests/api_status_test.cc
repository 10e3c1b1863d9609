#include "client/requests/api_status.h"

#include <gtest/gtest.h>

#include "fake_transport.h"

namespace berth::requests {
namespace {

TEST(ApiStatus, IsTheServersStatus) {
  const ApiStatus status = StatusOf(
      http::ReplyOf(409,
                    R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"pod a is already assigned",)"
                    R"("reason":"Conflict","code":409})"),
      "bind a");
  EXPECT_EQ(status.code, 409);
  EXPECT_TRUE(status.Conflict());
  EXPECT_EQ(status.message, "pod a is already assigned");
}

TEST(ApiStatus, OfAnotherServersReplyNamesTheRequest) {
  const ApiStatus status = StatusOf(http::ReplyOf(502, "<html>Bad Gateway</html>"), "list pods");
  EXPECT_EQ(status.message, "the server answered \"list pods\" with status 502: <html>Bad Gateway</html>");
}

TEST(ApiStatus, OfNoReplyIsTheTransportsError) {
  const ApiStatus status = StatusOf(http::LostReply("connection refused", false), "list pods");
  EXPECT_EQ(status.code, 0);
  EXPECT_EQ(status.message, "connection refused");
}

TEST(ApiStatus, HasTheRetryDelay) {
  http::Reply busy = http::ReplyOf(429, R"({"kind":"Status","message":"m","details":{"retryAfterSeconds":3}})");
  EXPECT_EQ(StatusOf(busy, "list pods").retry_after_seconds, 3);
  busy.retry_after_seconds = 7;
  EXPECT_EQ(StatusOf(busy, "list pods").retry_after_seconds, 7);
  busy = http::ReplyOf(403, "no");
  busy.retry_after_seconds = 7;
  EXPECT_EQ(StatusOf(busy, "list pods").retry_after_seconds, std::nullopt);
}

TEST(ApiStatus, RecognizesAnExpiredVersion) {
  EXPECT_TRUE(StatusOf(R"({"kind":"Status","reason":"Expired","code":410})").Expired());
  EXPECT_TRUE(StatusOf(R"({"kind":"Status","reason":"Gone"})").Expired());
  EXPECT_FALSE(StatusOf(R"({"kind":"Status","reason":"Timeout","code":504})").Expired());
}

}  // namespace
}  // namespace berth::requests
