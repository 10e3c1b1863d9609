// The engine logs an attempt whose search for a node takes 100 ms or more. Virtual clock; plugins advance it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::Contains;
using testing::Not;
using testing::StartsWith;

// An engine with one profile, on a clock of the test.
class SlowAttempts : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(log::Init({.verbosity = 2}));
    ClearScripts();
    BindThroughHost(ScriptOf("A"));
    engine_ = std::make_unique<engine::Engine>(intern_, clock_, executor_, cluster_, nullptr, engine::EngineOptions{});
    cluster_.Attach(engine_.get());
    auto set = BuildSet({{}}, engine_->services());
    ASSERT_TRUE(set) << set.error().message;
    engine_->SetProfiles(*set);
  }
  void TearDown() override {
    cluster_.Attach(nullptr);
    engine_.reset();
    ASSERT_TRUE(log::Init({}));
  }

  // Schedules a pod; returns the log messages about traces, without their ids.
  std::vector<std::string> Schedule(const std::string& pod) {
    log::Capture capture;
    cluster_.SetPod(MakePod(intern_, pod));
    while (engine_->Step()) {
    }
    std::vector<std::string> traces;
    for (const std::string& message : capture.Messages()) {
      if (message.starts_with("Trace[")) traces.push_back(message.substr(message.find(']')));
    }
    return traces;
  }
  void FilterTakes(int64_t ms) {
    ScriptOf("A").pre_filter = [this, ms](Cycle&, const Pod&, sdk::NameSet&) {
      clock_.Advance(ms * base::kMillisecond);
      return Status::Ok();
    };
  }
  void ScoreTakes(int64_t ms) {
    ScriptOf("A").pre_score = [this, ms](Cycle&, const Pod&, sdk::Rows) {
      clock_.Advance(ms * base::kMillisecond);
      return Status::Ok();
    };
  }

  base::VirtualClock clock_{1'767'225'600 * base::kSecond};
  api::InternTables intern_;
  simulation::Cluster cluster_{intern_};
  bind::InlineExecutor executor_;
  std::unique_ptr<engine::Engine> engine_;
};

TEST_F(SlowAttempts, AFastAttemptIsNotLogged) {
  cluster_.SetNode(MakeNode(intern_, "n1"));
  FilterTakes(99);
  EXPECT_THAT(Schedule("p1"), testing::IsEmpty());
}

TEST_F(SlowAttempts, ASlowFilterIsLoggedWithItsStep) {
  cluster_.SetNode(MakeNode(intern_, "n1"));
  cluster_.SetNode(MakeNode(intern_, "n2"));
  FilterTakes(100);
  const auto traces = Schedule("p1");
  ASSERT_THAT(traces, testing::SizeIs(1));
  EXPECT_THAT(traces[0], StartsWith("]: \"Scheduling\" namespace:default,name:p1 ("));
  EXPECT_THAT(traces[0], testing::HasSubstr("---\"Computing predicates done\" 100ms ("));
  EXPECT_THAT(traces[0], Not(testing::HasSubstr("Prioritizing done")));  // took no time
}

TEST_F(SlowAttempts, ASlowScoreIsLoggedWithItsStep) {
  cluster_.SetNode(MakeNode(intern_, "n1"));
  cluster_.SetNode(MakeNode(intern_, "n2"));
  ScoreTakes(250);
  const auto traces = Schedule("p1");
  ASSERT_THAT(traces, testing::SizeIs(1));
  EXPECT_THAT(traces[0], testing::HasSubstr("---\"Prioritizing done\" 250ms ("));
}

TEST_F(SlowAttempts, AnAttemptWithoutAFeasibleNodeIsLogged) {
  cluster_.SetNode(MakeNode(intern_, "n1"));
  FilterTakes(150);
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("no"));
    return Status::Ok();
  };
  EXPECT_THAT(Schedule("p1"), Contains(testing::HasSubstr("---\"Computing predicates done\" 150ms (")));
}

TEST_F(SlowAttempts, AnAttemptThatFailsInPreFilterHasNoStep) {
  cluster_.SetNode(MakeNode(intern_, "n1"));
  ScriptOf("A").pre_filter = [this](Cycle&, const Pod&, sdk::NameSet&) {
    clock_.Advance(150 * base::kMillisecond);
    return Status::Error("broken");
  };
  const auto traces = Schedule("p1");
  ASSERT_THAT(traces, testing::SizeIs(1));
  EXPECT_THAT(traces[0], Not(testing::HasSubstr("---")));
}

}  // namespace
}  // namespace berth::fixture
