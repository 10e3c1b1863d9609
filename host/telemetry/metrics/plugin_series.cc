#include "telemetry/metrics/plugin_series.h"

#include <prometheus/metric_family.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "telemetry/metrics/kube_families.h"

namespace berth::metrics {
namespace {

// The ABI names those that can have series without dynamic resource allocation. scheduler_volume_binder_cache_requests_
// total has none in kube-scheduler either.
constexpr std::array<std::string_view, 4> kShared{
    "scheduler_preemption_victims", "scheduler_preemption_goroutines_duration_seconds",
    "scheduler_preemption_goroutines_execution_total", "scheduler_volume_scheduling_stage_error_total"};

prometheus::MetricType TypeOf(series::Kind kind) {
  switch (kind) {
    case series::Kind::kCounter: return prometheus::MetricType::Counter;
    case series::Kind::kGauge: return prometheus::MetricType::Gauge;
    case series::Kind::kHistogram: return prometheus::MetricType::Histogram;
  }
  return prometheus::MetricType::Untyped;
}

prometheus::ClientMetric::Histogram HistogramOf(const series::Distribution& counted,
                                                const std::vector<double>& bounds) {
  prometheus::ClientMetric::Histogram histogram;
  histogram.sample_sum = counted.sum;
  for (size_t i = 0; i < counted.counts.size(); ++i) {
    histogram.sample_count += counted.counts[i];
    const double bound = i < bounds.size() ? bounds[i] : std::numeric_limits<double>::infinity();
    histogram.bucket.push_back({histogram.sample_count, bound});
  }
  return histogram;
}

prometheus::ClientMetric ClientMetricOf(const series::Sample& sample, const series::Definition& definition) {
  prometheus::ClientMetric metric;
  for (size_t i = 0; i < sample.values.size(); ++i) {
    metric.label.push_back({definition.labels[i], sample.values[i]});
  }
  switch (definition.kind) {
    case series::Kind::kCounter: metric.counter.value = sample.value; break;
    case series::Kind::kGauge: metric.gauge.value = sample.value; break;
    case series::Kind::kHistogram: metric.histogram = HistogramOf(sample.distribution, definition.buckets); break;
  }
  return metric;
}

}  // namespace

void ShareKubeFamilies(series::PluginFamilies& families) {
  for (const Family& family : SchedulerFamilies()) {
    if (std::find(kShared.begin(), kShared.end(), family.name) == kShared.end()) continue;
    families.Share({family.name, family.kind, HelpText(family), family.labels, family.buckets});
  }
}

void AppendPluginSeries(const series::PluginFamilies& families, std::vector<prometheus::MetricFamily>& out) {
  for (const series::FamilySamples& one : families.Collect()) {
    prometheus::MetricFamily& family = out.emplace_back();
    family.name = one.name;
    family.help = one.definition.help;
    family.type = TypeOf(one.definition.kind);
    for (const series::Sample& sample : one.samples) family.metric.push_back(ClientMetricOf(sample, one.definition));
  }
}

}  // namespace berth::metrics
