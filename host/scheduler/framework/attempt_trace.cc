#include "scheduler/framework/attempt_trace.h"

#include <string>
#include <utility>

#include "base/clock.h"

namespace berth::framework {
namespace {

// Names of attributes: https://opentelemetry.io/docs/specs/semconv/registry/attributes/k8s/.
void AddText(trace::Attributes& attributes, const char* key, std::string_view text) {
  if (!text.empty()) attributes.push_back({key, std::string(text)});
}

}  // namespace

AttemptTrace::AttemptTrace(trace::Tracer& tracer) : tracer_(&tracer), root_(tracer.Root()) {
  if (!root_.sampled()) return;
  const base::RealClock clock;
  began_mono_ns_ = clock.MonoNs();
  wall_minus_mono_ns_ = clock.WallUnixNs() - began_mono_ns_;
}

trace::SpanContext AttemptTrace::BeginPoint() const { return sampled() ? tracer_->Under(root_) : root_; }

void AttemptTrace::EndPoint(const trace::SpanContext& span, std::string_view name, const plugin::Status& status,
                            int64_t began_mono_ns, int64_t ended_mono_ns) const {
  if (!span.sampled()) return;
  trace::Span ended{.context = span,
                    .parent = root_.span,
                    .name = std::string(name),
                    .began_unix_ns = began_mono_ns + wall_minus_mono_ns_,
                    .ended_unix_ns = ended_mono_ns + wall_minus_mono_ns_,
                    .failed = status.code == plugin::Code::kError};
  ended.attributes.push_back({"berth.status", plugin::CodeName(status.code)});
  if (ended.failed) ended.error = status.Message();
  tracer_->End(std::move(ended));
}

void AttemptTrace::End(const Result& result) const {
  trace::Span span{.context = root_,
                   .name = "SchedulingAttempt",
                   .began_unix_ns = began_mono_ns_ + wall_minus_mono_ns_,
                   .ended_unix_ns = base::RealClock().MonoNs() + wall_minus_mono_ns_,
                   .failed = result.result == "error"};
  AddText(span.attributes, "k8s.namespace.name", result.ns);
  AddText(span.attributes, "k8s.pod.name", result.name);
  AddText(span.attributes, "k8s.pod.uid", result.uid);
  AddText(span.attributes, "k8s.node.name", result.node);
  AddText(span.attributes, "berth.profile", result.profile);
  AddText(span.attributes, "berth.result", result.result);
  AddText(span.attributes, "berth.message", result.message);
  span.attributes.push_back({"berth.generation", static_cast<int64_t>(result.generation)});
  if (span.failed) span.error = result.message;
  tracer_->End(std::move(span));
}

}  // namespace berth::framework
