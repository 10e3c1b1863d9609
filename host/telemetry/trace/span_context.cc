#include "telemetry/trace/span_context.h"

namespace berth::trace {
namespace {

void AppendHex(std::string& out, uint64_t number) {
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[number >> shift & 0xf];
}

}  // namespace

std::string TraceIdText(const SpanContext& context) {
  std::string text;
  AppendHex(text, context.trace_high);
  AppendHex(text, context.trace_low);
  return text;
}

std::string SpanIdText(uint64_t span) {
  std::string text;
  AppendHex(text, span);
  return text;
}

std::string TraceParent(const SpanContext& context) {
  return "00-" + TraceIdText(context) + "-" + SpanIdText(context.span) + "-01";
}

}  // namespace berth::trace
