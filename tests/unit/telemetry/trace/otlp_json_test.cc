// The expected texts follow the examples of opentelemetry-proto (examples/trace.json).
#include "telemetry/trace/otlp_json.h"

#include <gtest/gtest.h>

#include "codec/json/value.h"

namespace berth::trace {
namespace {

constexpr SpanContext kContext{SpanContext::Decision::kSampled, 0x5b8efff798038103, 0xd269b633813fc60c,
                               0xeee19b7ec3c1b174};
const Origin kOrigin{.resource = {{"service.name", "berth-scheduler"}}, .scope = "berth", .version = "1.2.3"};
constexpr const char* kHead =
    R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"berth-scheduler"}}]},)"
    R"("scopeSpans":[{"scope":{"name":"berth","version":"1.2.3"},"spans":[)";
constexpr const char* kTail = "]}]}]}";

TEST(OtlpJson, ARootSpan) {
  const Span span{.context = kContext,
                  .name = "Attempt",
                  .began_unix_ns = 1544712660000000000,
                  .ended_unix_ns = 1544712661000000001};
  EXPECT_EQ(OtlpJson(kOrigin, {&span, 1}),
            std::string(kHead) +
                R"({"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","flags":257,)"
                R"("name":"Attempt","kind":1,"startTimeUnixNano":"1544712660000000000",)"
                R"("endTimeUnixNano":"1544712661000000001","attributes":[],"status":{}})" +
                kTail);
}

TEST(OtlpJson, AChildWithAttributesOfEachTypeAndAFailure) {
  const Span span{.context = kContext,
                  .parent = 0x0000000000000abc,
                  .kind = SpanKind::kClient,
                  .name = "POST",
                  .attributes = {{"text", std::string("a\"b\n\xff")},
                                 {"number", int64_t{-9007199254740993}},
                                 {"yes", true},
                                 {"no", false}},
                  .failed = true,
                  .error = "refused"};
  EXPECT_EQ(OtlpJson(kOrigin, {&span, 1}),
            std::string(kHead) +
                R"({"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174",)"
                R"("parentSpanId":"0000000000000abc","flags":257,"name":"POST","kind":3,"startTimeUnixNano":"0",)"
                R"("endTimeUnixNano":"0","attributes":[{"key":"text","value":{"stringValue":"a\"b\n)"
                "\xef\xbf\xbd"
                R"("}},{"key":"number","value":{"intValue":"-9007199254740993"}},)"
                R"({"key":"yes","value":{"boolValue":true}},{"key":"no","value":{"boolValue":false}}],)"
                R"("status":{"code":2,"message":"refused"}})" +
                kTail);
}

TEST(OtlpJson, SeveralSpansAreValidJson) {
  const std::vector<Span> spans(3, Span{.context = kContext, .name = "Filter", .failed = true});
  const auto parsed = json::Parse(OtlpJson(kOrigin, spans));
  ASSERT_TRUE(parsed);
  const auto& scope = parsed->Find("resourceSpans")->array()[0].Find("scopeSpans")->array()[0];
  EXPECT_EQ(scope.Find("spans")->array().size(), 3u);
}

TEST(SpanContexts, TraceParentIsThatOfW3c) {
  EXPECT_EQ(TraceParent(kContext), "00-5b8efff798038103d269b633813fc60c-eee19b7ec3c1b174-01");
}

}  // namespace
}  // namespace berth::trace
