// Metrics: made once by name and labels, then written to through handles that cost a few nanoseconds. prometheus-cpp
// stays behind it.
// Thread: everything here may be called from any. Ownership: the registry owns the metrics; handles are values that
// point into it, must not outlive it, and do nothing as long as they were not made by one.
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

// 15 ns by one thread at a time, more when several write to the same one.
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
  std::string help;  // one sentence, with the stability in brackets before it as Kubernetes has it
};

// start, start * factor, ...: count upper bounds of buckets. start > 0, factor > 1.
std::vector<double> ExponentialBuckets(double start, double factor, int count);

class Registry {
 public:
  Registry();
  ~Registry();
  Registry(const Registry&) = delete;

  // The metric of that name and labels; the same one when it was made before. It is shown from then on, as 0 at first.
  // One name has one kind, one help text and, for histograms, the same buckets: throws std::invalid_argument when it
  // was given another kind, or when a name or label is none. Takes a lock and ~0.5 µs: not for the hot path.
  Counter MakeCounter(const Name& name, const Labels& labels = {});
  Gauge MakeGauge(const Name& name, const Labels& labels = {});
  Histogram MakeHistogram(const Name& name, const std::vector<double>& buckets, const Labels& labels = {});

  // All metrics in Prometheus' text format, by name and labels.
  std::string Text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth::metrics
