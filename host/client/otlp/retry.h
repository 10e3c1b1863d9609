// When a failed export is repeated. Source: the OTLP specification
// (https://opentelemetry.io/docs/specs/otlp/#otlphttp-throttling) and the defaults of OpenTelemetry's SDK for Go
// (go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp). Thread: pure.
#pragma once

#include <chrono>
#include <optional>

#include "client/http/transport.h"

namespace berth::otlp {

struct RetryRules {
  std::chrono::nanoseconds first = std::chrono::seconds(5);   // before the first repetition
  std::chrono::nanoseconds most = std::chrono::seconds(30);   // between two repetitions
  std::chrono::nanoseconds total = std::chrono::seconds(30);  // of an export with its repetitions
};

// Whether the collector may accept the same export later: it was overloaded, or no reply arrived.
bool IsTemporary(const http::Reply& reply);

// How long to wait after try number n (from 1) failed with this reply: twice as long each time, and at least for
// Retry-After. spent: since the first try. nullopt: give up.
std::optional<std::chrono::nanoseconds> WaitAfter(int n, const http::Reply& reply, std::chrono::nanoseconds spent,
                                                  const RetryRules& rules);

}  // namespace berth::otlp
