// What identifies a span, and passes from a cause to its effects. Source: https://www.w3.org/TR/trace-context/.
// Thread: a value.
#pragma once

#include <cstdint>
#include <string>

namespace berth::trace {

struct SpanContext {
  // kNone: no span is the cause. kDropped: the cause was not sampled, so its effects are not.
  enum class Decision : uint8_t { kNone, kDropped, kSampled };
  Decision decision = Decision::kNone;
  uint64_t trace_high = 0, trace_low = 0, span = 0;  // of a sampled span; not all zero

  bool sampled() const { return decision == Decision::kSampled; }
};

std::string TraceIdText(const SpanContext& context);  // 32 lower-case hexadecimal digits
std::string SpanIdText(uint64_t span);                // 16
// The value of the header traceparent, of a sampled span: "00-...-...-01".
std::string TraceParent(const SpanContext& context);

}  // namespace berth::trace
