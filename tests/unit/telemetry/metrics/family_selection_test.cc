#include "telemetry/metrics/family_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "telemetry/metrics/registry.h"
#include "telemetry/metrics/text_format.h"

namespace berth::metrics {
namespace {

using testing::HasSubstr;
using testing::Not;

const Family kFamily{"m", Kind::kCounter, Stability::kAlpha, {"a", "b"}, "Help.", {}};

TEST(Selection, DisabledFamiliesAreNotServed) {
  Registry registry(Selection({"m", "unknown", ""}, {}));
  registry.Declare({&kFamily, 1});
  registry.CounterOf("m", {{"a", "1"}, {"b", "2"}}).Increment();
  const std::string text = registry.Text();
  EXPECT_THAT(text, Not(HasSubstr("\nm{")));
  EXPECT_THAT(text, HasSubstr("\ndisabled_metrics_total 2\n"));
  EXPECT_THAT(text, HasSubstr("\nhidden_metrics_total 1\n"));
  for (const Family& family : registry.Families()) EXPECT_NE(family.name, "m");
}

TEST(Selection, OtherValuesBecomeUnexpected) {
  Registry registry(Selection({}, {{"m,a", "x,y"}, {"other,b", "z"}}));
  registry.Declare({&kFamily, 1});
  registry.CounterOf("m", {{"a", "x"}, {"b", "1"}}).Increment();
  registry.CounterOf("m", {{"a", "1"}, {"b", "1"}}).Increment();
  registry.CounterOf("m", {{"a", "2"}, {"b", "1"}}).Increment();
  const std::string text = registry.Text();
  EXPECT_THAT(text, HasSubstr("m{a=\"unexpected\",b=\"1\"} 2\nm{a=\"x\",b=\"1\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("\ncardinality_enforcement_unexpected_categorizations_total 2\n"));
}

TEST(Registry, CountsItsFamilies) {
  Registry registry;
  registry.Declare({&kFamily, 1});
  registry.Declare({&kFamily, 1});
  EXPECT_THAT(registry.Text(),
              HasSubstr("registered_metrics_total{deprecated_version=\"\",stability_level=\"ALPHA\"} 2\n"
                        "registered_metrics_total{deprecated_version=\"\",stability_level=\"BETA\"} 3\n"));
}

TEST(Registry, OtherLabelsAreAnError) {
  Registry registry;
  registry.Declare({&kFamily, 1});
  EXPECT_THROW(registry.CounterOf("m", {{"a", "1"}}), std::invalid_argument);
  EXPECT_THROW(registry.GaugeOf("m", {{"a", "1"}, {"b", "1"}}), std::invalid_argument);
  EXPECT_THROW(registry.CounterOf("n", {}), std::invalid_argument);
}

TEST(Registry, CollectorsRunBeforeEachText) {
  Registry registry;
  const Gauge gauge = registry.MakeGauge(Name{"g", "Help."});
  int runs = 0;
  registry.AddCollector([&] { gauge.Set(++runs); });
  EXPECT_THAT(registry.Text(), HasSubstr("\ng 1\n"));
  EXPECT_THAT(registry.Text(), HasSubstr("\ng 2\n"));
}

TEST(Registry, ManyValuesAtOnce) {
  Registry registry;
  const Histogram histogram = registry.MakeHistogram(Name{"h", "Help."}, {1, 2});
  histogram.ObserveMany({1, 2, 3}, 20);
  EXPECT_THAT(registry.Text(), HasSubstr("h_bucket{le=\"1\"} 1\nh_bucket{le=\"2\"} 3\nh_bucket{le=\"+Inf\"} 6\nh_sum "
                                         "20\nh_count 6\n"));
}

TEST(FormatNumber, IsThatOfGo) {
  const struct {
    double value;
    const char* want;
  } kCases[] = {
      {.value = 0, .want = "0"},
      {.value = 1, .want = "1"},
      {.value = -1, .want = "-1"},
      {.value = 0.1, .want = "0.1"},
      {.value = 0.0001, .want = "0.0001"},
      {.value = 0.00001, .want = "1e-05"},
      {.value = 0.000015, .want = "1.5e-05"},
      {.value = 1e-8, .want = "1e-08"},
      {.value = 999999, .want = "999999"},
      {.value = 1000000, .want = "1e+06"},
      {.value = 1234567.5, .want = "1.2345675e+06"},
      {.value = 1e100, .want = "1e+100"},
      {.value = std::numeric_limits<double>::infinity(), .want = "+Inf"},
      {.value = -std::numeric_limits<double>::infinity(), .want = "-Inf"},
      {.value = std::numeric_limits<double>::quiet_NaN(), .want = "NaN"},
  };
  for (const auto& c : kCases) EXPECT_EQ(FormatNumber(c.value), c.want);
}

}  // namespace
}  // namespace berth::metrics
