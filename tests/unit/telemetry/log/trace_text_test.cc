// The lines are those of k8s.io/utils/trace for the same times, with another id.
#include "telemetry/log/trace_text.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/clock.h"

namespace berth::log {
namespace {

constexpr int64_t kBegan = 1'767'225'600 * base::kSecond + 7'900'000;  // 2026-01-01T05:30:00.0079 in India

constexpr int64_t Ms(int64_t ms) { return kBegan + ms * base::kMillisecond; }

struct TraceCase {
  const char* name;
  std::vector<TraceField> fields = {};
  std::vector<TraceStep> steps = {};
  int64_t ended_ns = Ms(150);
  int64_t step_threshold_ns = 0;
  std::string want;
};

class TraceTexts : public testing::TestWithParam<TraceCase> {};

TEST_P(TraceTexts, AreUpstreams) {
  const TraceCase& c = GetParam();
  EXPECT_EQ(TraceText({.id = 1298498081,
                       .name = "Scheduling",
                       .fields = c.fields,
                       .steps = c.steps,
                       .began_ns = kBegan,
                       .ended_ns = c.ended_ns,
                       .step_threshold_ns = c.step_threshold_ns}),
            c.want);
}

const std::vector<TraceField> kPod{{"namespace", "default"}, {"name", "web-1"}};

INSTANTIATE_TEST_SUITE_P(
    Upstream, TraceTexts,
    testing::Values(
        TraceCase{.name = "WithoutFieldsAndSteps",
                  .want = "Trace[1298498081]: \"Scheduling\" (01-Jan-2026 05:30:00.007) (total time: 150ms):\n"
                          "Trace[1298498081]: [150ms] [150ms] END"},
        TraceCase{.name = "WithFieldsAndSteps",
                  .fields = kPod,
                  .steps = {{"Computing predicates done", Ms(120)}, {"Prioritizing done", Ms(149)}},
                  .want = "Trace[1298498081]: \"Scheduling\" namespace:default,name:web-1 (01-Jan-2026 05:30:00.007) "
                          "(total time: 150ms):\n"
                          "Trace[1298498081]: ---\"Computing predicates done\" 120ms (05:30:00.127)\n"
                          "Trace[1298498081]: ---\"Prioritizing done\" 29ms (05:30:00.156)\n"
                          "Trace[1298498081]: [150ms] [150ms] END"},
        TraceCase{.name = "LeavesShortStepsOut",
                  .steps = {{"Computing predicates done", Ms(33)}, {"Prioritizing done", Ms(67)}},
                  .step_threshold_ns = StepThresholdNs(100 * base::kMillisecond, 2),
                  .want = "Trace[1298498081]: \"Scheduling\" (01-Jan-2026 05:30:00.007) (total time: 150ms):\n"
                          "Trace[1298498081]: ---\"Prioritizing done\" 34ms (05:30:00.074)\n"
                          "Trace[1298498081]: [150ms] [150ms] END"},
        TraceCase{.name = "KeepsAStepAtTheThreshold",
                  .steps = {{"Computing predicates done", Ms(50)}},
                  .step_threshold_ns = StepThresholdNs(100 * base::kMillisecond, 1),
                  .want = "Trace[1298498081]: \"Scheduling\" (01-Jan-2026 05:30:00.007) (total time: 150ms):\n"
                          "Trace[1298498081]: ---\"Computing predicates done\" 50ms (05:30:00.057)\n"
                          "Trace[1298498081]: [150ms] [150ms] END"},
        TraceCase{.name = "RoundsDownMillisecondsButNotTheTotal",
                  .steps = {{"Computing predicates done", Ms(120) + 999'999}},
                  .ended_ns = Ms(1500) + 987'654,
                  .want = "Trace[1298498081]: \"Scheduling\" (01-Jan-2026 05:30:00.007) (total time: 1500ms):\n"
                          "Trace[1298498081]: ---\"Computing predicates done\" 120ms (05:30:00.128)\n"
                          "Trace[1298498081]: [1.500987654s] [1.500987654s] END"}),
    [](const auto& info) { return info.param.name; });

TEST(StepThreshold, IsTheShareOfAStep) {
  EXPECT_EQ(StepThresholdNs(100'000'000, 0), 100'000'000);
  EXPECT_EQ(StepThresholdNs(100'000'000, 2), 33'333'333);
}

}  // namespace
}  // namespace berth::log
