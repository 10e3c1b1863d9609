#include "telemetry/log/step_trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"

namespace berth::log {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

constexpr int64_t kThreshold = 100 * base::kMillisecond;

class StepTraces : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(Init({.verbosity = 2})); }
  void TearDown() override { ASSERT_TRUE(Init({})); }

  // An operation of two steps, which take so many milliseconds, and an end that takes none.
  std::vector<std::string> Run(int64_t first_ms, int64_t second_ms) {
    Capture capture;
    StepTrace trace(clock_, "Scheduling");
    clock_.Advance(first_ms * base::kMillisecond);
    trace.Step("Computing predicates done");
    clock_.Advance(second_ms * base::kMillisecond);
    trace.Step("Prioritizing done");
    if (trace.EndsLong(kThreshold)) trace.Log(kThreshold, {{"name", "web-1"}});
    return capture.Lines();
  }

  base::VirtualClock clock_{1'767'225'600 * base::kSecond};
};

TEST_F(StepTraces, AnOperationBelowTheThresholdIsNotLogged) { EXPECT_THAT(Run(60, 39), IsEmpty()); }

TEST_F(StepTraces, AnOperationAtTheThresholdIsLoggedWithItsLongSteps) {
  const std::vector<std::string> lines = Run(90, 10);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], MatchesRegex("I[0-9 :.]+ step_trace_test[.]cc:[0-9]+[]] "
                                     "Trace[[][0-9]+[]]: \"Scheduling\" name:web-1 [(]01-Jan-2026 05:30:00[.]000[)] "
                                     "[(]total time: 100ms[)]:\n"
                                     "Trace[[][0-9]+[]]: ---\"Computing predicates done\" 90ms [(]05:30:00[.]090[)]\n"
                                     "Trace[[][0-9]+[]]: [[]100ms[]] [[]100ms[]] END"));
}

TEST_F(StepTraces, VerbosityFourShowsEveryStep) {
  SetVerbosity(4);
  EXPECT_THAT(Run(90, 10)[0], HasSubstr("---\"Prioritizing done\" 10ms"));
}

TEST_F(StepTraces, VerbosityOneShowsNothing) {
  SetVerbosity(1);
  EXPECT_THAT(Run(90, 10), IsEmpty());
}

TEST_F(StepTraces, AJsonLineHasTheTextAsItsMessage) {
  ASSERT_TRUE(Init({.verbosity = 2, .format = Format::kJson}));
  const std::vector<std::string> lines = Run(90, 10);
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_THAT(lines[0], StartsWith("{\"ts\":"));
  EXPECT_THAT(lines[0], HasSubstr("\"msg\":\"Trace["));
  EXPECT_THAT(lines[0], HasSubstr("]: \\\"Scheduling\\\" name:web-1 (01-Jan-2026 05:30:00.000) (total time: "
                                  "100ms):\\nTrace["));
  EXPECT_THAT(lines[0], HasSubstr("[100ms] [100ms] END\",\"v\":0}"));
  EXPECT_THAT(lines[0], Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace berth::log
