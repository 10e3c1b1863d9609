#include "cmd/berth-scheduler/tracing.h"

#include <random>
#include <utility>

#include "client/http/rest_client.h"
#include "os/machine/hostname.h"

namespace berth {
namespace {

const metrics::Name kExported{"berth_trace_spans_exported_total", "[ALPHA] Spans that the collector has accepted."};
const metrics::Name kDropped{"berth_trace_spans_dropped_total",
                             "[ALPHA] Spans that were not exported, by reason: queue_full (too many waited for the "
                             "collector), export_failed (the "
                             "collector did not accept a request), rejected (the collector did not accept a span)."};

uint64_t Seed() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

// Names of attributes: https://opentelemetry.io/docs/specs/semconv/resource/.
trace::Origin OriginOfProcess() {
  return {.resource = {{"service.name", "berth-scheduler"},
                       {"service.version", BERTH_VERSION},
                       {"host.name", os::Hostname()}},
          .scope = "berth-scheduler",
          .version = BERTH_VERSION};
}

http::ClientOptions OptionsFor(const std::string& endpoint) {
  http::ClientOptions options{.url = endpoint};
  options.user_agent = "berth-scheduler/" BERTH_VERSION;
  options.timeout = std::chrono::duration_cast<std::chrono::milliseconds>(otlp::ExportRules().timeout);
  options.max_body_bytes = size_t{1} << 20;
  return options;
}

}  // namespace

base::Result<std::unique_ptr<Tracing>> Tracing::Make(const std::optional<config::TracingRules>& rules,
                                                     metrics::Registry& registry) {
  if (!rules) return std::unique_ptr<Tracing>();
  auto collector = http::MakeRestClient(OptionsFor(rules->endpoint));
  if (!collector) return base::Fail("tracing.endpoint: " + collector.error().message);
  return std::unique_ptr<Tracing>(new Tracing(*rules, std::move(*collector), registry));
}

Tracing::Tracing(const config::TracingRules& rules, std::unique_ptr<http::Transport> collector,
                 metrics::Registry& registry)
    : tracer_(trace::Sampler(rules.sampling_rate_per_million), queue_, Seed()),
      exported_(registry.MakeCounter(kExported)),
      queue_full_(registry.MakeCounter(kDropped, {{"reason", "queue_full"}})),
      export_failed_(registry.MakeCounter(kDropped, {{"reason", "export_failed"}})),
      rejected_(registry.MakeCounter(kDropped, {{"reason", "rejected"}})),
      exporter_(queue_, std::move(collector), OriginOfProcess()) {}

void Tracing::Measure() {
  exported_.Follow(static_cast<double>(exporter_.exported()));
  queue_full_.Follow(static_cast<double>(queue_.dropped()));
  export_failed_.Follow(static_cast<double>(exporter_.failed()));
  rejected_.Follow(static_cast<double>(exporter_.rejected()));
}

}  // namespace berth
