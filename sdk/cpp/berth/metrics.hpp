// Counters, gauges, and histograms of the plugin, which the host serves on its page /metrics as
// berth_custom_PLUGIN_NAME. Look series up in the plugin's constructor and keep them: recording costs a few nanoseconds
// and takes no lock.
//
//   static constexpr std::string_view kUses[] = {BERTH_SERVICE_METRICS};
//   explicit MyPlugin(Host& host) : metrics_(host) {}
//   ...
//   Metrics metrics_;
//   Counter skipped_ = metrics_.MakeCounter("skipped_pods_total", "Pods that the plugin did not look at.");
//   MetricFamily<Counter> rejected_ = metrics_.CountersBy("rejected_nodes_total", "Nodes that did not fit.",
//   {"reason"}); Counter full_ = rejected_.At({"full"});
//
// A host without the service, and a mistake in a definition, leave metrics that record nothing; the host logs the
// mistake, and the fake host of tests reports it as a violation. The header berth/metrics.h says what two
// instances share, what remains when the last one ends, and how many series a family may have.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "berth/detail/services.hpp"
#include "berth/host.hpp"
#include "berth/metrics.h"
#include "berth/text.hpp"

namespace berth::sdk {

// [any] A number that only grows. A value that is negative or not finite is ignored.
class Counter {
 public:
  Counter() = default;
  Counter(const berth_metrics& table, berth_metric* raw) : raw_(raw), add_(table.add) {}
  void Add(double by = 1) const {
    if (raw_ != nullptr) add_(raw_, by);
  }

 private:
  berth_metric* raw_ = nullptr;  // null: nothing is recorded
  void (*add_)(berth_metric*, double) = nullptr;
};

// [any] The value of this instance; the host serves the sum of all instances of the plugin.
class Gauge {
 public:
  Gauge() = default;
  Gauge(const berth_metrics& table, berth_metric* raw) : raw_(raw), set_(table.set), add_(table.add) {}
  void Set(double value) const {
    if (raw_ != nullptr) set_(raw_, value);
  }
  void Add(double by) const {
    if (raw_ != nullptr) add_(raw_, by);
  }

 private:
  berth_metric* raw_ = nullptr;
  void (*set_)(berth_metric*, double) = nullptr;
  void (*add_)(berth_metric*, double) = nullptr;
};

// [any] Values by size. A value that is not finite is ignored.
class Histogram {
 public:
  Histogram() = default;
  Histogram(const berth_metrics& table, berth_metric* raw) : raw_(raw), observe_(table.observe) {}
  void Observe(double value) const {
    if (raw_ != nullptr) observe_(raw_, value);
  }

 private:
  berth_metric* raw_ = nullptr;
  void (*observe_)(berth_metric*, double) = nullptr;
};

// A family; M is Counter, Gauge, or Histogram. Lives as long as the plugin.
template <class M>
class MetricFamily {
 public:
  MetricFamily() = default;
  MetricFamily(const berth_host* host, const berth_metrics& table, const berth_metric_family* raw)
      : host_(host), table_(table), raw_(raw) {}

  // [any] The series with these values of the labels, in their order. Takes a lock and about a microsecond.
  M At(std::initializer_list<std::string_view> values) const { return At(values.begin(), values.size()); }
  M At(const std::vector<std::string_view>& values) const { return At(values.data(), values.size()); }

 private:
  M At(const std::string_view* values, size_t n) const {
    if (raw_ == nullptr) return {};
    std::vector<berth_str> texts;
    for (size_t i = 0; i < n; ++i) texts.push_back(Borrow(values[i]));
    return {table_, table_.series(host_, raw_, texts.data(), static_cast<uint32_t>(n))};
  }

  const berth_host* host_ = nullptr;
  berth_metrics table_{};
  const berth_metric_family* raw_ = nullptr;
};

class Metrics {
 public:
  using Names = std::initializer_list<std::string_view>;
  using Buckets = std::vector<double>;  // upper bounds without +Inf, ascending

  explicit Metrics(const Host& host)
      : host_(host.raw()),
        table_(detail::CopyTable<berth_metrics>(
            host.Offers(BERTH_SERVICE_METRICS) ? host.raw()->service(host.raw(), BERTH_SERVICE_METRICS) : nullptr)) {}

  // ---- [background] in the constructor or in Activate. name: "skipped_pods_total"; help: one sentence.
  Counter MakeCounter(std::string_view name, std::string_view help) const { return CountersBy(name, help, {}).At({}); }
  Gauge MakeGauge(std::string_view name, std::string_view help) const { return GaugesBy(name, help, {}).At({}); }
  Histogram MakeHistogram(std::string_view name, std::string_view help, const Buckets& buckets) const {
    return HistogramsBy(name, help, buckets, {}).At({});
  }
  MetricFamily<Counter> CountersBy(std::string_view name, std::string_view help, Names labels) const {
    return {host_, table_, Define(BERTH_METRIC_COUNTER, name, help, labels, {})};
  }
  MetricFamily<Gauge> GaugesBy(std::string_view name, std::string_view help, Names labels) const {
    return {host_, table_, Define(BERTH_METRIC_GAUGE, name, help, labels, {})};
  }
  MetricFamily<Histogram> HistogramsBy(std::string_view name, std::string_view help, const Buckets& buckets,
                                       Names labels) const {
    return {host_, table_, Define(BERTH_METRIC_HISTOGRAM, name, help, labels, buckets)};
  }
  // A family of kube-scheduler (BERTH_KUBE_*), which the host defines.
  MetricFamily<Counter> KubeCounters(std::string_view name) const { return {host_, table_, Kube(name)}; }
  MetricFamily<Histogram> KubeHistograms(std::string_view name) const { return {host_, table_, Kube(name)}; }

 private:
  // Whether the host has every function, so that no handle needs to look again.
  bool complete() const {
    return table_.family != nullptr && table_.kube != nullptr && table_.series != nullptr && table_.add != nullptr &&
           table_.set != nullptr && table_.observe != nullptr;
  }
  const berth_metric_family* Define(uint32_t kind, std::string_view name, std::string_view help, Names labels,
                                    const Buckets& buckets) const {
    if (!complete()) return nullptr;
    std::vector<berth_str> names;
    for (const std::string_view label : labels) names.push_back(Borrow(label));
    const berth_metric_spec spec{sizeof(berth_metric_spec),
                                 kind,
                                 Borrow(name),
                                 Borrow(help),
                                 {names.data(), static_cast<uint32_t>(names.size()), sizeof(berth_str)},
                                 {buckets.data(), static_cast<uint32_t>(buckets.size()), sizeof(double)}};
    return table_.family(host_, &spec);
  }
  const berth_metric_family* Kube(std::string_view name) const {
    return complete() ? table_.kube(host_, Borrow(name)) : nullptr;
  }

  const berth_host* host_;
  berth_metrics table_;
};

}  // namespace berth::sdk
