// Metrics: created once by name and labels, then written through handles at a cost of a few nanoseconds. Hides
// prometheus-cpp. Thread: any. Ownership: the registry owns the metrics. Handles are values that point into it and must
// not outlive it. A default-constructed handle does nothing.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

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

 private:
  friend class Registry;
  explicit Histogram(prometheus::Histogram& histogram) : histogram_(&histogram) {}
  prometheus::Histogram* histogram_ = nullptr;
};

using Labels = std::map<std::string, std::string>;

struct Name {
  std::string name;  // "scheduler_pending_pods"
  std::string help;  // one sentence, after the stability in brackets as in Kubernetes
};

// start, start * factor, ...: count upper bounds of buckets. start > 0, factor > 1.
std::vector<double> ExponentialBuckets(double start, double factor, int count);

class Registry {
 public:
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;

  // Returns the metric with that name and labels, and creates it with the value 0 if there is none. A name has one
  // kind, one help text and, for histograms, the same buckets. Throws std::invalid_argument for another kind or an
  // invalid name or label. Takes a lock and about 0.5 µs, so do not call it on the hot path.
  Counter MakeCounter(const Name& name, const Labels& labels = {});
  Gauge MakeGauge(const Name& name, const Labels& labels = {});
  Histogram MakeHistogram(const Name& name, const std::vector<double>& buckets, const Labels& labels = {});

  // All metrics in Prometheus' text format, sorted by name and labels.
  std::string Text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::metrics
