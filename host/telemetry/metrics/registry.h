// Metrics: families are declared once, series are created by name and labels, then written through handles at a cost of
// a few nanoseconds. Hides prometheus-cpp. Thread: any. Ownership: the registry owns the metrics. Handles are values
// that point into it and must not outlive it. A default-constructed handle does nothing, and so does one of a family
// that --disabled-metrics names. Source: k8s.io/component-base/metrics/registry.go.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/metrics/family.h"
#include "telemetry/metrics/family_selection.h"
#include "telemetry/series/plugin_families.h"

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace berth::metrics {

class Counter {
 public:
  Counter() = default;
  void Increment(double by = 1) const;  // by >= 0

 private:
  friend class Registry;
  explicit Counter(prometheus::Counter& counter) : counter_(&counter) {}
  prometheus::Counter* counter_ = nullptr;
};

class Gauge {
 public:
  Gauge() = default;
  void Set(double value) const;
  void Add(double by) const;
  bool operator==(const Gauge&) const = default;  // the same series

 private:
  friend class Registry;
  explicit Gauge(prometheus::Gauge& gauge) : gauge_(&gauge) {}
  prometheus::Gauge* gauge_ = nullptr;
};

// 15 ns with one writing thread; more with several.
class Histogram {
 public:
  Histogram() = default;
  void Observe(double value) const;
  // Many values at once: how many fell into each bucket, the one up to +Inf last, and their sum.
  void ObserveMany(const std::vector<double>& counts, double sum) const;

 private:
  friend class Registry;
  explicit Histogram(prometheus::Histogram& histogram) : histogram_(&histogram) {}
  prometheus::Histogram* histogram_ = nullptr;
};

struct Name {
  std::string name;  // "berth_swap_total"
  std::string help;  // one sentence; "[ALPHA] " before it is the stability
};

class Registry {
 public:
  explicit Registry(Selection selection = {});
  ~Registry();
  Registry(const Registry&) = delete;

  // Registers families whose series come later. A second declaration of a name has no effect.
  void Declare(std::span<const Family> families);

  // Returns the metric of a declared family with these labels, and creates it with the value 0 if there is none. Throws
  // std::invalid_argument for a family that is not declared or of another kind, and for other labels than the declared
  // ones. Takes a lock and about 0.5 µs, so do not call it on the hot path.
  Counter CounterOf(std::string_view family, Labels labels = {});
  Gauge GaugeOf(std::string_view family, Labels labels = {});
  Histogram HistogramOf(std::string_view family, Labels labels = {});
  // Declares a family of gauges with this label, whose series come with GaugeOf.
  void DeclareGauges(const Name& name, const std::string& label);
  // Removes the series of the handle, which must not be used any more, nor any copy of it.
  void Remove(std::string_view family, const Gauge& gauge);

  // The same for a family that is declared here, with the names of these labels. A name has one kind, one help text
  // and, for histograms, the same buckets. Throws std::invalid_argument for an invalid name or label.
  Counter MakeCounter(const Name& name, const Labels& labels = {});
  Gauge MakeGauge(const Name& name, const Labels& labels = {});
  Histogram MakeHistogram(const Name& name, const std::vector<double>& buckets, const Labels& labels = {});

  // update is called before each Text, on the thread of Text, to set values that are cheap to read and often change.
  void AddCollector(std::function<void()> update);

  // Serves the families of plugins, too, as the selection says. Once, before the first plugin; families outlives the
  // registry.
  void Serve(series::PluginFamilies& families);

  std::vector<Family> Families() const;  // those of the host that are declared and not disabled, by name
  // All metrics in Prometheus' text format, sorted by name and labels.
  std::string Text() const;

 private:
  struct Impl;
  const Family* Prepare(std::string_view name, Kind kind, Labels& labels);
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::metrics
