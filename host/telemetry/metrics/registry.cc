#include "telemetry/metrics/registry.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <sstream>
#include <tuple>

namespace berth::metrics {

void Counter::Increment(double by) const {
  if (counter_ != nullptr) counter_->Increment(by);
}

void Gauge::Set(double value) const {
  if (gauge_ != nullptr) gauge_->Set(value);
}

void Gauge::Add(double by) const {
  if (gauge_ != nullptr) gauge_->Increment(by);
}

void Histogram::Observe(double value) const {
  if (histogram_ != nullptr) histogram_->Observe(value);
}

std::vector<double> ExponentialBuckets(double start, double factor, int count) {
  std::vector<double> buckets;
  for (int i = 0; i < count; ++i, start *= factor) buckets.push_back(start);
  return buckets;
}

struct Registry::Impl {
  // Registering a name again returns the same family.
  prometheus::Registry registry{prometheus::Registry::InsertBehavior::Merge};
};

Registry::Registry() : impl_(std::make_unique<Impl>()) {}
Registry::~Registry() = default;

Counter Registry::MakeCounter(const Name& name, const Labels& labels) {
  auto& family = prometheus::BuildCounter().Name(name.name).Help(name.help).Register(impl_->registry);
  return Counter(family.Add(labels));
}

Gauge Registry::MakeGauge(const Name& name, const Labels& labels) {
  auto& family = prometheus::BuildGauge().Name(name.name).Help(name.help).Register(impl_->registry);
  return Gauge(family.Add(labels));
}

Histogram Registry::MakeHistogram(const Name& name, const std::vector<double>& buckets, const Labels& labels) {
  auto& family = prometheus::BuildHistogram().Name(name.name).Help(name.help).Register(impl_->registry);
  return Histogram(family.Add(labels, buckets));
}

std::string Registry::Text() const {
  // prometheus-cpp orders series by hash. Sorted texts are comparable.
  std::vector<prometheus::MetricFamily> families = impl_->registry.Collect();
  std::sort(families.begin(), families.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto less = [](const prometheus::ClientMetric& a, const prometheus::ClientMetric& b) {
    return std::lexicographical_compare(
        a.label.begin(), a.label.end(), b.label.begin(), b.label.end(),
        [](const auto& x, const auto& y) { return std::tie(x.name, x.value) < std::tie(y.name, y.value); });
  };
  for (prometheus::MetricFamily& family : families) std::sort(family.metric.begin(), family.metric.end(), less);
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return std::move(out).str();
}

}  // namespace berth::metrics
