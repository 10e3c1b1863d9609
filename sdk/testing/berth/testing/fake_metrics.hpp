// The metrics service for tests, with the values that the plugin recorded.
//   EXPECT_EQ(plugin.host().metrics().Value("skipped_pods_total"), 2);
//   EXPECT_EQ(plugin.host().metrics().Value("rejected_nodes_total", {"full"}), 7);
//   EXPECT_THAT(plugin.host().metrics().Observed(BERTH_KUBE_PREEMPTION_VICTIMS), ElementsAre(3));
// Names are those that the plugin gives, and those of kube-scheduler's families. An invalid definition, a value that
// the host ignores, and a wrong number of label values are violations; the host itself logs or ignores them. The
// limit for the number of series is the host's. Thread: any thread records; the test's thread calls the rest.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "berth/metrics.h"
#include "berth/testing/checker.hpp"
#include "berth/testing/fake_pod.hpp"

namespace berth::sdk::testing {

class FakeMetrics {
 public:
  explicit FakeMetrics(Checker& checker);
  FakeMetrics(const FakeMetrics&) = delete;
  ~FakeMetrics();

  // The value of a counter or gauge; labels: the values in the plugin's order. nullopt: there is no such series.
  std::optional<double> Value(const std::string& name, const Texts& labels = {}) const;
  // The values that the plugin observed in a histogram, in order.
  std::vector<double> Observed(const std::string& name, const Texts& labels = {}) const;
  // Every series, by name and labels: NAME{label="value"} and its value, or the number of values of a histogram.
  Texts Lines() const;

  // The service's table in a FakeHost.
  static berth_metrics Table();

 private:
  struct Family;
  struct Series;

  static FakeMetrics& Of(const berth_host* host);
  static const berth_metric_family* Define(const berth_host* host, const berth_metric_spec* spec);
  static const berth_metric_family* Kube(const berth_host* host, berth_str name);
  static berth_metric* At(const berth_host* host, const berth_metric_family* family, const berth_str* values,
                          uint32_t n);
  static void Add(berth_metric* metric, double by);
  static void Set(berth_metric* metric, double value);
  static void Observe(berth_metric* metric, double value);

  // The family of that name, with this definition.
  Family* Keep(Family definition);
  size_t OwnFamilies() const;
  const Series* Find(const std::string& name, const Texts& labels) const;

  Checker& checker_;
  mutable std::mutex mutex_;  // guards the following members, and the values of series
  std::map<std::string, std::unique_ptr<Family>> families_;
};

}  // namespace berth::sdk::testing
