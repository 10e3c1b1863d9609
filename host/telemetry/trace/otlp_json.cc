#include "telemetry/trace/otlp_json.h"

#include "codec/json/value.h"

namespace berth::trace {
namespace {

constexpr int kSampledFlags = 0x101;  // SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK and the flag "sampled"
constexpr int kStatusError = 2;       // STATUS_CODE_ERROR

void AppendText(std::string& out, std::string_view key, std::string_view text) {
  out += '"';
  out.append(key).append("\":");
  json::AppendQuoted(out, text);
}

struct AppendValue {
  std::string& out;
  void operator()(const std::string& text) { AppendText(out, "stringValue", text); }
  void operator()(int64_t number) { AppendText(out, "intValue", std::to_string(number)); }
  void operator()(bool yes) { out += yes ? R"("boolValue":true)" : R"("boolValue":false)"; }
};

void AppendAttributes(std::string& out, const Attributes& attributes) {
  out += R"("attributes":[)";
  for (const Attribute& attribute : attributes) {
    if (&attribute != attributes.data()) out += ',';
    out += '{';
    AppendText(out, "key", attribute.key);
    out += R"(,"value":{)";
    std::visit(AppendValue{out}, attribute.value);
    out += "}}";
  }
  out += ']';
}

void AppendStatus(std::string& out, const Span& span) {
  out += R"(,"status":{)";
  if (span.failed) {
    out += R"("code":)" + std::to_string(kStatusError);
    if (!span.error.empty()) AppendText(out += ',', "message", span.error);
  }
  out += '}';
}

void AppendSpan(std::string& out, const Span& span) {
  out += '{';
  AppendText(out, "traceId", TraceIdText(span.context));
  AppendText(out += ',', "spanId", SpanIdText(span.context.span));
  if (span.parent != 0) AppendText(out += ',', "parentSpanId", SpanIdText(span.parent));
  out += R"(,"flags":)" + std::to_string(kSampledFlags);
  AppendText(out += ',', "name", span.name);
  out += R"(,"kind":)" + std::to_string(static_cast<int>(span.kind));
  AppendText(out += ',', "startTimeUnixNano", std::to_string(span.began_unix_ns));
  AppendText(out += ',', "endTimeUnixNano", std::to_string(span.ended_unix_ns));
  AppendAttributes(out += ',', span.attributes);
  AppendStatus(out, span);
  out += '}';
}

}  // namespace

std::string OtlpJson(const Origin& origin, std::span<const Span> spans) {
  std::string out = R"({"resourceSpans":[{"resource":{)";
  AppendAttributes(out, origin.resource);
  out += R"(},"scopeSpans":[{"scope":{)";
  AppendText(out, "name", origin.scope);
  AppendText(out += ',', "version", origin.version);
  out += R"(},"spans":[)";
  for (const Span& span : spans) {
    if (&span != spans.data()) out += ',';
    AppendSpan(out, span);
  }
  return out + "]}]}]}";
}

}  // namespace berth::trace
