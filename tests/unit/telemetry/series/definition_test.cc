#include "telemetry/series/definition.h"

#include <gtest/gtest.h>

#include "metric_mistakes.h"

namespace berth::series {
namespace {

constexpr Limits kAbiLimits{
    .families = 32, .series = 256, .labels = 8, .buckets = 32, .name = 100, .help = 1000, .value = 128};

TEST(Definition, MistakesNameTheirField) {
  for (const MetricMistake& c : MetricMistakes()) {
    const Kind kind = c.histogram ? Kind::kHistogram : Kind::kCounter;
    EXPECT_EQ(MistakeIn({c.name, kind, c.help, c.labels, c.buckets}, kAbiLimits), c.want);
  }
}

TEST(Definition, TheLongestAllowedIsNoMistake) {
  std::vector<double> buckets;
  for (int i = -16; i < 16; ++i) buckets.push_back(i);
  EXPECT_EQ(MistakeIn({std::string(100, 'a'),
                       Kind::kHistogram,
                       std::string(1000, 'h'),
                       {"a", "_b", "c1", "d", "e", "f", "g", "h"},
                       buckets},
                      kAbiLimits),
            "");
}

}  // namespace
}  // namespace berth::series
