// Metrics through the C++ layer and the fake host: the values that a plugin records, and the mistakes that it makes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "berth/metrics.hpp"
#include "entries.h"
#include "metric_mistakes.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Measured {
  static constexpr Info kInfo{.name = "measured"};
  static constexpr std::string_view kUses[] = {BERTH_SERVICE_METRICS};
  // The code of the constructor, and the code of Score.
  static std::function<void(Measured&)>& begin() {
    static std::function<void(Measured&)> act;
    return act;
  }
  static std::function<void(Measured&)>& score() {
    static std::function<void(Measured&)> act;
    return act;
  }
  explicit Measured(Host& h) : host(h), metrics(h) {
    if (begin()) begin()(*this);
  }
  int64_t Score(Cycle&, const Pod&, Node) {
    if (score()) score()(*this);
    return 0;
  }
  Host& host;
  Metrics metrics;
};

class MetricsTest : public ::testing::Test {
 protected:
  MetricsTest() : plugin(TestPlugin<Measured>()) { plugin.cluster().Add(FakeNode("n1")); }
  ~MetricsTest() override {
    plugin.Stop();
    Measured::begin() = nullptr;
    Measured::score() = nullptr;
  }
  void Start(std::function<void(Measured&)> begin) {
    Measured::begin() = std::move(begin);
    ASSERT_TRUE(plugin.Start().ok());
  }
  void Score(std::function<void(Measured&)> score) {
    Measured::score() = std::move(score);
    ASSERT_TRUE(plugin.Try(FakePod("p"))->Score().ok());
  }
  FakeMetrics& metrics() { return plugin.host().metrics(); }

  PluginUnderTest plugin;
};

TEST_F(MetricsTest, ShowWhatThePluginRecorded) {
  Counter counter;
  Gauge gauge;
  Histogram histogram;
  MetricFamily<Counter> by;
  Start([&](Measured& self) {
    counter = self.metrics.MakeCounter("c_total", "Help.");
    gauge = self.metrics.MakeGauge("g", "Help.");
    histogram = self.metrics.MakeHistogram("h", "Help.", {1, 2});
    by = self.metrics.CountersBy("by_total", "Help.", {"a", "b"});
  });
  EXPECT_EQ(metrics().Value("c_total"), 0);
  EXPECT_EQ(metrics().Value("by_total", {"x", "y"}), std::nullopt);
  Score([&](Measured&) {
    counter.Add();
    counter.Add(2);
    gauge.Set(9);
    gauge.Add(-1);
    histogram.Observe(1.5);
    histogram.Observe(7);
    by.At({"x", "y"}).Add();
  });
  EXPECT_EQ(metrics().Value("c_total"), 3);
  EXPECT_EQ(metrics().Value("g"), 8);
  EXPECT_THAT(metrics().Observed("h"), ElementsAre(1.5, 7));
  EXPECT_THAT(metrics().Lines(), ElementsAre("by_total{a=\"x\",b=\"y\"} 1", "c_total 3", "g 8", "h 2"));
}

TEST_F(MetricsTest, HaveTheFamiliesOfKubeScheduler) {
  Start([](Measured& self) {
    self.metrics.KubeHistograms(BERTH_KUBE_PREEMPTION_VICTIMS).At({}).Observe(2);
    self.metrics.KubeCounters(BERTH_KUBE_VOLUME_STAGE_ERRORS).At({"bind"}).Add();
    self.metrics.KubeCounters("scheduler_other").At({"bind"}).Add();
  });
  EXPECT_THAT(metrics().Observed(BERTH_KUBE_PREEMPTION_VICTIMS), ElementsAre(2));
  EXPECT_EQ(metrics().Value(BERTH_KUBE_VOLUME_STAGE_ERRORS, {"bind"}), 1);
  EXPECT_THAT(metrics().Lines(), SizeIs(2));
}

TEST_F(MetricsTest, RecordNothingOnAHostWithoutTheService) {
  plugin.host().Without(BERTH_SERVICE_METRICS);
  Counter counter;
  Start([&](Measured& self) {
    counter = self.metrics.MakeCounter("c_total", "Help.");
    self.metrics.GaugesBy("g", "Help.", {"a"}).At({"1"}).Set(1);
  });
  Score([&](Measured&) { counter.Add(); });
  EXPECT_THAT(metrics().Lines(), IsEmpty());
}

TEST_F(MetricsTest, RecordNothingOnAHostThatLacksAFunction) {
  plugin.host().Shorten(BERTH_SERVICE_METRICS, offsetof(berth_metrics, observe));
  Start([&](Measured& self) { self.metrics.MakeCounter("c_total", "Help.").Add(); });
  EXPECT_THAT(metrics().Lines(), IsEmpty());
}

// The texts are those of the host: tests/unit/telemetry/series tests the same mistakes.
TEST_F(MetricsTest, AMistakeInADefinitionIsAViolation) {
  std::vector<std::string> wanted;
  Start([&](Measured& self) {
    for (const MetricMistake& c : MetricMistakes()) {
      std::vector<berth_str> labels;
      for (const std::string& label : c.labels) labels.push_back(Borrow(label));
      const berth_metric_spec spec{sizeof spec,
                                   c.histogram ? BERTH_METRIC_HISTOGRAM : BERTH_METRIC_COUNTER,
                                   Borrow(c.name),
                                   Borrow(c.help),
                                   {labels.data(), static_cast<uint32_t>(labels.size()), sizeof(berth_str)},
                                   {c.buckets.data(), static_cast<uint32_t>(c.buckets.size()), sizeof(double)}};
      const berth_host* raw = self.host.raw();
      const auto* table = static_cast<const berth_metrics*>(raw->service(raw, BERTH_SERVICE_METRICS));
      EXPECT_EQ(table->family(raw, &spec), nullptr) << c.want;
      wanted.push_back("metric \"" + c.name + "\": " + c.want);
    }
  });
  EXPECT_EQ(plugin.Violations(), wanted);
}

TEST_F(MetricsTest, ADefinitionAtAnotherTimeIsAViolation) {
  Start({});
  Score([](Measured& self) { (void)self.metrics.MakeCounter("c_total", "Help."); });
  EXPECT_THAT(plugin.Violations(), ElementsAre("metrics family() was called in Score, where it must not be"));
}

TEST_F(MetricsTest, TooManyFamiliesAreAViolation) {
  Start([](Measured& self) {
    (void)self.metrics.KubeCounters(BERTH_KUBE_VOLUME_STAGE_ERRORS);
    for (uint32_t i = 0; i < BERTH_METRIC_MOST_FAMILIES + 1; ++i) {
      (void)self.metrics.MakeCounter("c" + std::to_string(i), "Help.");
    }
  });
  EXPECT_THAT(plugin.Violations(), ElementsAre("metric \"c32\": the plugin has 32 families, and may not have more"));
}

TEST_F(MetricsTest, TwoDefinitionsOfANameAreAViolation) {
  Start([](Measured& self) {
    (void)self.metrics.MakeCounter("c_total", "Help.");
    (void)self.metrics.MakeCounter("c_total", "Help.");
    (void)self.metrics.MakeCounter("c_total", "Other help.");
  });
  EXPECT_THAT(plugin.Violations(),
              ElementsAre("metric \"c_total\": name: the plugin has this family already, with another definition"));
}

TEST_F(MetricsTest, WhatTheHostIgnoresIsAViolation) {
  Start([](Measured& self) {
    const Counter counter = self.metrics.MakeCounter("c_total", "Help.");
    counter.Add(-1);
    counter.Add(INFINITY);
    self.metrics.MakeHistogram("h", "Help.", {1}).Observe(NAN);
    self.metrics.CountersBy("by_total", "Help.", {"a"}).At({}).Add();
  });
  EXPECT_THAT(plugin.Violations(), ElementsAre("metrics add() of -1 to \"c_total\", which the host ignores",
                                               "metrics add() of inf to \"c_total\", which the host ignores",
                                               "metrics observe() of nan by \"h\", which the host ignores",
                                               "metrics series() of \"by_total\" with 0 values for 1 labels"));
  EXPECT_EQ(metrics().Value("c_total"), 0);
}

TEST_F(MetricsTest, SeriesHaveTheBoundOfTheHost) {
  Start([](Measured& self) {
    const auto counters = self.metrics.CountersBy("c_total", "Help.", {"a"});
    const auto gauges = self.metrics.GaugesBy("g", "Help.", {"a"});
    for (uint32_t i = 0; i < BERTH_METRIC_MOST_SERIES + 3; ++i) {
      counters.At({std::to_string(i)}).Add();
      gauges.At({std::to_string(i)}).Set(1);
    }
    counters.At({std::string(BERTH_METRIC_MOST_VALUE + 1, 'a')}).Add();
  });
  EXPECT_EQ(metrics().Value("c_total", {"overflow"}), 4);
  EXPECT_THAT(metrics().Lines(), SizeIs(2 * BERTH_METRIC_MOST_SERIES + 1));
}

}  // namespace
}  // namespace berth::sdk::testing
