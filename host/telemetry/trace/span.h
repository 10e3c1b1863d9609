// A span that has ended: one operation with its times and attributes. Source: opentelemetry-proto,
// opentelemetry/proto/trace/v1/trace.proto. Thread: a value.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "telemetry/trace/span_context.h"

namespace berth::trace {

struct Attribute {
  std::string key;
  std::variant<std::string, int64_t, bool> value;
};
using Attributes = std::vector<Attribute>;

enum class SpanKind : uint8_t { kInternal = 1, kClient = 3 };  // SpanKind of trace.proto

struct Span {
  SpanContext context = {};
  uint64_t parent = 0;  // span id; 0: a root
  SpanKind kind = SpanKind::kInternal;
  std::string name = {};
  int64_t began_unix_ns = 0, ended_unix_ns = 0;
  Attributes attributes = {};
  bool failed = false;
  std::string error = {};  // the description of a failure; may be empty
};

}  // namespace berth::trace
