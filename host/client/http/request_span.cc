#include "client/http/request_span.h"

#include <utility>

#include "base/clock.h"
#include "client/http/url_template.h"

namespace berth::http {

std::optional<RequestSpan> RequestSpan::Begin(trace::Tracer& tracer, const Endpoint& server, Request& request) {
  const trace::SpanContext context = tracer.Under(request.cause);
  if (!context.sampled()) return std::nullopt;
  request.traceparent = trace::TraceParent(context);
  std::string path = UrlTemplate(request.path);
  return RequestSpan(tracer, {.context = context,
                              .parent = request.cause.span,
                              .kind = trace::SpanKind::kClient,
                              .name = request.method + " " + path,
                              .began_unix_ns = base::RealClock().WallUnixNs(),
                              .attributes = {{"http.request.method", request.method},
                                             {"url.template", std::move(path)},
                                             {"server.address", server.host},
                                             {"server.port", int64_t{server.port}}}});
}

void RequestSpan::End(const Reply& reply) {
  span_.ended_unix_ns = base::RealClock().WallUnixNs();
  if (reply.status != 0) span_.attributes.push_back({"http.response.status_code", int64_t{reply.status}});
  span_.failed = reply.status == 0 || reply.status >= 400;
  if (span_.failed) {
    span_.attributes.push_back({"error.type", reply.status == 0 ? "no_reply" : std::to_string(reply.status)});
  }
  if (reply.status == 0) span_.error = reply.error;
  tracer_->End(std::move(span_));
}

}  // namespace berth::http
