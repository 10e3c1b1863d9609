// The exporter against a real HTTP server on loopback.
#include "client/otlp/exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "client/http/rest_client.h"
#include "codec/json/value.h"
#include "eventually.h"
#include "raw_server.h"
#include "telemetry/log/capture.h"

namespace berth::otlp {
namespace {

using namespace std::chrono_literals;
using http::RawServer;
using http::SeenRequest;
using http::ServerConnection;
using testing::Contains;
using testing::HasSubstr;

// A collector: keeps the bodies, and answers each request by a function of its number, from 0.
class Collector {
 public:
  using Answer = std::function<void(ServerConnection&, int n)>;
  explicit Collector(Answer answer = {})
      : answer_(std::move(answer)), server_(http::Answering([this](ServerConnection& c, const SeenRequest& request) {
          int n;
          {
            std::lock_guard lock(mutex_);
            n = static_cast<int>(requests_.size());
            requests_.push_back(request);
          }
          answer_ ? answer_(c, n) : static_cast<void>(c.WriteReply(200, "{}"));
        })) {}

  std::string url() const { return server_.url(); }
  std::vector<SeenRequest> requests() const {
    std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  const Answer answer_;
  mutable std::mutex mutex_;
  std::vector<SeenRequest> requests_;
  RawServer server_;
};

std::unique_ptr<http::Transport> ClientOf(const std::string& url) {
  auto client = http::MakeRestClient({.url = url, .timeout = std::chrono::milliseconds(5000)});
  EXPECT_TRUE(client);
  return std::move(*client);
}

// Fast enough for a test.
ExportRules Fast() { return {.delay = 1ms, .retry = {.first = 1ms, .most = 2ms, .total = 10s}, .flush = 5s}; }

const trace::Origin kOrigin{.resource = {{"service.name", "test"}}, .scope = "scope", .version = "1"};

trace::Span Named(const std::string& name) {
  return {.context = {trace::SpanContext::Decision::kSampled, 1, 2, 3}, .name = name};
}

size_t SpansIn(const SeenRequest& request) {
  const auto body = json::Parse(request.body);
  if (!body) return 0;
  return body->Find("resourceSpans")->array()[0].Find("scopeSpans")->array()[0].Find("spans")->array().size();
}

TEST(Export, PostsTheSpansAsOtlpJson) {
  Collector collector;
  trace::SpanQueue queue;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, Fast());
  queue.Add(Named("Filter"));
  ASSERT_TRUE(Eventually([&] { return exporter.exported() == 1; }));
  const SeenRequest request = collector.requests().at(0);
  EXPECT_EQ(request.line(), "POST /v1/traces HTTP/1.1");
  EXPECT_EQ(request.header("Content-Type"), "application/json");
  const trace::Span span = Named("Filter");
  EXPECT_EQ(request.body, trace::OtlpJson(kOrigin, {&span, 1}));
}

TEST(Export, AFullBatchDoesNotWaitForTheDelay) {
  Collector collector;
  trace::SpanQueue queue;
  ExportRules rules = Fast();
  rules.batch = 2;
  rules.delay = 1h;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, rules);
  for (int i = 0; i < 4; ++i) queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return exporter.exported() == 4; }));
  for (const SeenRequest& request : collector.requests()) EXPECT_EQ(SpansIn(request), 2u);
}

TEST(Export, ATemporaryFailureIsTriedAgain) {
  Collector collector([](ServerConnection& c, int n) { c.WriteReply(n < 3 ? (n == 0 ? 429 : 503) : 200, "{}"); });
  trace::SpanQueue queue;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, Fast());
  queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return exporter.exported() == 1; }));
  EXPECT_EQ(collector.requests().size(), 4u);
  EXPECT_EQ(exporter.failed(), 0u);
}

TEST(Export, RetryAfterDelaysTheNextTry) {
  Collector collector([](ServerConnection& c, int n) {
    n == 0 ? c.WriteReply(429, "", "Retry-After: 1\r\n") : c.WriteReply(200, "{}");
  });
  trace::SpanQueue queue;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, Fast());
  const auto began = std::chrono::steady_clock::now();
  queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return exporter.exported() == 1; }));
  EXPECT_GE(std::chrono::steady_clock::now() - began, 1s);
}

TEST(Export, APermanentFailureDropsTheSpansAndIsLoggedOnce) {
  log::Capture capture;
  Collector collector([](ServerConnection& c, int n) { c.WriteReply(n < 2 ? 400 : 200, n < 2 ? "bad" : "{}"); });
  trace::SpanQueue queue;
  ExportRules rules = Fast();
  rules.batch = 1;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, rules);
  for (int i = 0; i < 3; ++i) queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return exporter.exported() == 1; }));
  EXPECT_EQ(exporter.failed(), 2u);
  int warnings = 0;
  for (const std::string& line : capture.Messages()) warnings += line.find("not exported") != line.npos ? 1 : 0;
  EXPECT_EQ(warnings, 1);
  EXPECT_THAT(capture.Messages(), Contains(HasSubstr("the collector answered 400: bad")));
  EXPECT_THAT(capture.Messages(), Contains(HasSubstr("Spans are exported again")));
}

TEST(Export, ACollectorThatIsDownCostsAFullQueueAndNoMore) {
  trace::SpanQueue queue(4);
  ExportRules rules = Fast();
  rules.retry.total = 0s;
  Exporter exporter(queue, ClientOf("http://127.0.0.1:" + std::to_string(http::ClosedPort())), kOrigin, rules);
  for (int i = 0; i < 100; ++i) queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return exporter.failed() + queue.dropped() == 100; }));
  EXPECT_EQ(exporter.exported(), 0u);
}

TEST(Export, ASlowCollectorTimesOut) {
  Collector collector([](ServerConnection& c, int) { c.WaitForClose(); });
  trace::SpanQueue queue;
  ExportRules rules = Fast();
  rules.timeout = 20ms;
  rules.retry.total = 0s;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, rules);
  queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return exporter.failed() == 1; }));
}

TEST(Export, SpansThatTheCollectorRejectsAreCounted) {
  Collector collector([](ServerConnection& c, int) {
    c.WriteReply(200, R"({"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}})");
  });
  trace::SpanQueue queue;
  ExportRules rules = Fast();
  rules.batch = 2;
  rules.delay = 1h;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, rules);
  for (int i = 0; i < 2; ++i) queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return exporter.rejected() == 1; }));
  EXPECT_EQ(exporter.exported(), 1u);
}

TEST(Export, StopExportsWhatIsInTheQueue) {
  Collector collector;
  trace::SpanQueue queue;
  ExportRules rules = Fast();
  rules.batch = 2;
  rules.delay = 1h;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, rules);
  queue.Add(Named("x"));
  exporter.Stop();
  EXPECT_EQ(exporter.exported(), 1u);
}

TEST(Export, StopDoesNotWaitForACollectorThatDoesNotAnswer) {
  Collector collector([](ServerConnection& c, int) { c.WaitForClose(); });
  trace::SpanQueue queue;
  ExportRules rules = Fast();
  rules.timeout = 1h;
  rules.flush = 50ms;
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, rules);
  queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return collector.requests().size() == 1; }));
  const auto began = std::chrono::steady_clock::now();
  exporter.Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - began, 4s);
  EXPECT_EQ(exporter.failed(), 1u);
}

TEST(Export, StopEndsTheWaitForTheNextTry) {
  Collector collector([](ServerConnection& c, int) { c.WriteReply(503, ""); });
  trace::SpanQueue queue;
  ExportRules rules = Fast();
  rules.retry = {.first = 1h, .most = 1h, .total = 100h};
  Exporter exporter(queue, ClientOf(collector.url()), kOrigin, rules);
  queue.Add(Named("x"));
  ASSERT_TRUE(Eventually([&] { return collector.requests().size() == 1; }));
  exporter.Stop();
  EXPECT_EQ(exporter.failed(), 1u);
}

}  // namespace
}  // namespace berth::otlp
