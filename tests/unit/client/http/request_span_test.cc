// The spans of requests, and the header that goes to the server. Real sockets on loopback.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/http/rest_client.h"
#include "raw_server.h"

namespace berth::http {
namespace {

using Decision = trace::SpanContext::Decision;
using testing::MatchesRegex;

struct SpanSink final : BodySink {
  bool OnBytes(std::string_view) override { return true; }
};

class RequestSpans : public testing::Test {
 protected:
  std::unique_ptr<RestClient> ClientWith(int32_t per_million) {
    tracer_ = std::make_unique<trace::Tracer>(trace::Sampler(per_million), queue_, 1);
    auto client = MakeRestClient({.url = server_.url()}, {.tracer = tracer_.get()});
    EXPECT_TRUE(client);
    return std::move(*client);
  }
  std::vector<trace::Span> Spans() { return queue_.Take(100, std::chrono::nanoseconds(0)); }

  std::string seen_;  // the header traceparent of the last request
  int status_ = 201;
  RawServer server_{Answering([this](ServerConnection& c, const SeenRequest& request) {
    seen_ = request.header("traceparent");
    c.WriteReply(status_, "made");
  })};
  trace::SpanQueue queue_;
  std::unique_ptr<trace::Tracer> tracer_;
};

std::string TextOf(const trace::Span& span, const std::string& key) {
  for (const trace::Attribute& attribute : span.attributes) {
    if (attribute.key != key) continue;
    if (const auto* number = std::get_if<int64_t>(&attribute.value)) return std::to_string(*number);
    return std::get<std::string>(attribute.value);
  }
  return "absent";
}

constexpr trace::SpanContext kCause{Decision::kSampled, 1, 2, 3};
const Request kBinding{.method = "POST",
                       .path = "/api/v1/namespaces/blue/pods/web/binding",
                       .body = "{}",
                       .content_type = "application/json",
                       .cause = kCause};

TEST_F(RequestSpans, ARequestIsAChildOfItsCause) {
  ClientWith(0)->SendAndWait(kBinding);
  const auto spans = Spans();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].name, "POST /api/v1/namespaces/{namespace}/pods/{name}/binding");
  EXPECT_EQ(spans[0].kind, trace::SpanKind::kClient);
  EXPECT_EQ(spans[0].parent, kCause.span);
  EXPECT_EQ(spans[0].context.trace_low, kCause.trace_low);
  EXPECT_LE(spans[0].began_unix_ns, spans[0].ended_unix_ns);
  EXPECT_FALSE(spans[0].failed);
  EXPECT_EQ(TextOf(spans[0], "http.request.method"), "POST");
  EXPECT_EQ(TextOf(spans[0], "url.template"), "/api/v1/namespaces/{namespace}/pods/{name}/binding");
  EXPECT_EQ(TextOf(spans[0], "http.response.status_code"), "201");
  EXPECT_EQ(TextOf(spans[0], "server.port"), std::to_string(server_.port()));
  EXPECT_EQ(seen_, trace::TraceParent(spans[0].context));
}

TEST_F(RequestSpans, AnAnswerThatIsAnErrorFailsTheSpan) {
  status_ = 409;
  ClientWith(0)->SendAndWait(kBinding);
  const auto spans = Spans();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_TRUE(spans[0].failed);
  EXPECT_EQ(TextOf(spans[0], "error.type"), "409");
}

TEST_F(RequestSpans, ARequestWithoutAReplyFailsTheSpan) {
  const auto client = ClientWith(0);
  server_.Stop();
  client->SendAndWait(kBinding);
  const auto spans = Spans();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_TRUE(spans[0].failed);
  EXPECT_EQ(TextOf(spans[0], "error.type"), "no_reply");
  EXPECT_EQ(TextOf(spans[0], "http.response.status_code"), "absent");
}

TEST_F(RequestSpans, WithoutACauseTheRateDecides) {
  Request request = kBinding;
  request.cause = {};
  ClientWith(0)->SendAndWait(request);
  EXPECT_TRUE(Spans().empty());
  EXPECT_EQ(seen_, "");
  ClientWith(1'000'000)->SendAndWait(request);
  const auto spans = Spans();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].parent, 0u);
  EXPECT_THAT(seen_, MatchesRegex("00-[0-9a-f]+-[0-9a-f]+-01"));
}

TEST_F(RequestSpans, TheEffectOfADroppedCauseIsDropped) {
  Request request = kBinding;
  request.cause = {.decision = Decision::kDropped};
  ClientWith(1'000'000)->SendAndWait(request);
  EXPECT_TRUE(Spans().empty());
  EXPECT_EQ(seen_, "");
}

TEST_F(RequestSpans, AStreamIsASpan) {
  status_ = 200;
  SpanSink sink;
  ClientWith(1'000'000)->Stream({.path = "/api/v1/pods?watch=1"}, sink, {});
  const auto spans = Spans();
  ASSERT_EQ(spans.size(), 1u);
  EXPECT_EQ(spans[0].name, "GET /api/v1/pods");
  EXPECT_EQ(TextOf(spans[0], "http.response.status_code"), "200");
}

}  // namespace
}  // namespace berth::http
