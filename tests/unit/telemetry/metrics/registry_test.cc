#include "telemetry/metrics/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

namespace berth::metrics {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Registry, PrintsWhatPrometheusReads) {
  Registry registry;
  const Counter b = registry.MakeCounter({"b_total", "Bs."}, {{"who", "y"}, {"what", "a\"b\\"}});
  registry.MakeCounter({"b_total", "Bs."}, {{"who", "x"}, {"what", "a"}}).Increment(2);
  const Gauge a = registry.MakeGauge({"a", "As."});
  b.Increment();
  b.Increment(0.5);
  a.Set(7);
  a.Add(-8);
  EXPECT_THAT(registry.Text(), StartsWith("# HELP a As.\n"
                                          "# TYPE a gauge\n"
                                          "a -1\n"
                                          "# HELP b_total Bs.\n"
                                          "# TYPE b_total counter\n"
                                          "b_total{what=\"a\",who=\"x\"} 2\n"
                                          "b_total{what=\"a\\\"b\\\\\",who=\"y\"} 1.5\n"));
}

TEST(Registry, HistogramsCountIntoBuckets) {
  Registry registry;
  const Histogram h = registry.MakeHistogram({"h", "Hs."}, {0.001, 0.002}, {{"k", "v"}});
  for (double value : {0.0005, 0.001, 0.0015, 5.0}) h.Observe(value);
  EXPECT_THAT(registry.Text(), HasSubstr("# HELP h Hs.\n"
                                         "# TYPE h histogram\n"
                                         "h_bucket{k=\"v\",le=\"0.001\"} 2\n"
                                         "h_bucket{k=\"v\",le=\"0.002\"} 3\n"
                                         "h_bucket{k=\"v\",le=\"+Inf\"} 4\n"
                                         "h_sum{k=\"v\"} 5.003\n"
                                         "h_count{k=\"v\"} 4\n"));
}

TEST(Registry, OneNameAndLabelsAreOneMetric) {
  Registry registry;
  registry.MakeCounter({"c", "Cs."}, {{"k", "v"}}).Increment();
  registry.MakeCounter({"c", "Cs."}, {{"k", "v"}}).Increment();
  EXPECT_THAT(registry.Text(), HasSubstr("c{k=\"v\"} 2\n"));
}

TEST(Registry, RefusesInvalidNamesAndOtherKinds) {
  Registry registry;
  registry.MakeCounter({"c", "Cs."});
  EXPECT_THROW(registry.MakeGauge({"c", "Cs."}), std::invalid_argument);
  EXPECT_THROW(registry.MakeCounter({"c-d", "Cs."}), std::invalid_argument);
}

TEST(Handles, DoNothingWithoutARegistry) {
  EXPECT_NO_THROW(Counter().Increment());
  EXPECT_NO_THROW(Gauge().Set(1));
  EXPECT_NO_THROW(Gauge().Add(1));
  EXPECT_NO_THROW(Histogram().Observe(1));
}

TEST(Handles, MayBeUsedByManyThreadsDuringAScrape) {
  Registry registry;
  const Counter counter = registry.MakeCounter({"c", "Cs."});
  const Gauge gauge = registry.MakeGauge({"g", "Gs."});
  const Histogram histogram = registry.MakeHistogram({"h", "Hs."}, {1});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        counter.Increment();
        gauge.Add(1);
        histogram.Observe(i % 2 * 2);
      }
    });
  }
  for (int i = 0; i < 20; ++i) EXPECT_THAT(registry.Text(), HasSubstr("# TYPE c counter"));
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(registry.Text(), HasSubstr("\nc 4000\n"));
  EXPECT_THAT(registry.Text(), HasSubstr("\ng 4000\n"));
  EXPECT_THAT(registry.Text(), HasSubstr("h_bucket{le=\"1\"} 2000\n"));
}

TEST(ExponentialBuckets, MultiplyFromTheStart) {
  EXPECT_EQ(ExponentialBuckets(1, 2, 5), (std::vector<double>{1, 2, 4, 8, 16}));
  EXPECT_EQ(ExponentialBuckets(0.001, 2, 15).back(), 16.384);
}

}  // namespace
}  // namespace berth::metrics
