// The span of one request to a server, from its start to the end of the reply, and its header traceparent. Source:
// go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp (Transport), with the names of the current conventions:
// https://opentelemetry.io/docs/specs/semconv/http/http-spans/#http-client-span. Thread: begins on one, ends on
// another.
#pragma once

#include <optional>
#include <string>

#include "client/http/endpoint.h"
#include "client/http/transport.h"
#include "telemetry/trace/tracer.h"

namespace berth::http {

class RequestSpan {
 public:
  // Begins the span under request.cause and sets request.traceparent. nullopt: it is not sampled. tracer outlives it.
  static std::optional<RequestSpan> Begin(trace::Tracer& tracer, const Endpoint& server, Request& request);
  // Call it once.
  void End(const Reply& reply);

 private:
  RequestSpan(trace::Tracer& tracer, trace::Span span) : tracer_(&tracer), span_(std::move(span)) {}

  trace::Tracer* tracer_;
  trace::Span span_;
};

}  // namespace berth::http
