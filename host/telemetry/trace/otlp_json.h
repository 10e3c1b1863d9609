// Spans as the body of an OTLP export request in JSON. Source: opentelemetry-proto, docs/specification.md#json-protobuf
// -encoding: lowerCamelCase keys, ids in hexadecimal, 64-bit integers as text, enumerations as numbers. Thread: any;
// pure.
#pragma once

#include <span>
#include <string>

#include "telemetry/trace/span.h"

namespace berth::trace {

// What the spans are about, and who wrote them.
struct Origin {
  Attributes resource;         // "service.name"
  std::string scope, version;  // of the instrumentation
};

// ExportTraceServiceRequest. Invalid UTF-8 becomes U+FFFD.
std::string OtlpJson(const Origin& origin, std::span<const Span> spans);

}  // namespace berth::trace
