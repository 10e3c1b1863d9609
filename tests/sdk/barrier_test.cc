// No exception of a plugin leaves it, in any call; and the text of a status reaches the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "every_point.h"

namespace berth::sdk::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

class BarrierTest : public ::testing::Test {
 protected:
  BarrierTest() : plugin(TestPlugin<EveryPoint>()) {
    EveryPoint::doing() = nullptr;
    plugin.cluster().Add(FakeNode("n1")).Add(FakeNode("n2"));
  }
  ~BarrierTest() override {
    EveryPoint::doing() = nullptr;  // it may refer to objects of the test's scope
    plugin.Stop();
    EXPECT_THAT(plugin.Violations(), IsEmpty());
  }
  // The texts of the error lines in the log.
  Texts ErrorLines() const {
    Texts lines;
    for (const LogLine& line : log_) lines.push_back(line.message);
    return lines;
  }

  PluginUnderTest plugin;
  std::vector<LogLine> log_;
};

const Texts kVoidCalls = {"Unreserve", "PostBind", "Less", "Interests", "Deltas", "Dump"};

TEST_F(BarrierTest, WithoutThrowsEveryCallAnswers) {
  ASSERT_TRUE(plugin.Start().ok());
  std::map<std::string, Outcome> outcomes;
  CallEverything(plugin, [&](const std::string& call, const Outcome& outcome) { outcomes[call] = outcome; });
  EXPECT_EQ(outcomes.size(), 15u);
  for (const auto& [call, outcome] : outcomes) {
    const berth_status expected = call == "Permit" ? BERTH_WAIT : call == "PreFlight" ? BERTH_SKIP : BERTH_SUCCESS;
    EXPECT_EQ(outcome.code, expected) << call << ": " << outcome;
  }
  EXPECT_THAT(plugin.host().bindings(), ElementsAre("default/p -> n1"));
}

TEST_F(BarrierTest, ThrownExceptionsBecomeErrorsThatNamePluginAndCall) {
  ASSERT_TRUE(plugin.Start().ok());
  EveryPoint::doing() = [](const std::string& call, auto...) { throw std::runtime_error("boom in " + call); };
  CallEverything(plugin, [](const std::string& call, const Outcome& outcome) {
    EXPECT_EQ(outcome.code, BERTH_ERROR) << call;
    EXPECT_THAT(outcome.reasons, ElementsAre("plugin everyPoint: " + call + " threw: boom in " + call));
  });
  log_ = plugin.host().Log();
  for (const std::string& call : kVoidCalls) {
    EXPECT_THAT(ErrorLines(), Contains("plugin everyPoint: " + call + " threw: boom in " + call));
  }
  for (const LogLine& line : log_) EXPECT_EQ(line.severity, BERTH_LOG_ERROR);
}

TEST_F(BarrierTest, AnythingMayBeThrown) {
  ASSERT_TRUE(plugin.Start().ok());
  EveryPoint::doing() = [](auto&&...) { throw 42; };
  CallEverything(plugin, [](const std::string& call, const Outcome& outcome) {
    EXPECT_THAT(outcome.reasons,
                ElementsAre("plugin everyPoint: " + call + " threw: something that is no std::exception"));
  });
  EXPECT_EQ(plugin.host().Log().size(), kVoidCalls.size());
}

TEST_F(BarrierTest, AThrowInTheMiddleOfRowsFailsTheCall) {
  ASSERT_TRUE(plugin.Start().ok());
  int rows = 0;
  EveryPoint::doing() = [&rows](const std::string&, auto...) {
    if (++rows == 2) throw std::out_of_range("second row");
  };
  EXPECT_EQ(plugin.Try(FakePod())->Filter().code, BERTH_ERROR);
}

TEST_F(BarrierTest, VeryLongTextsAreCut) {
  ASSERT_TRUE(plugin.Start().ok());
  EveryPoint::doing() = [](auto&&...) { throw std::runtime_error(std::string(100000, 'x')); };
  const Outcome outcome = plugin.Try(FakePod())->PreFilter();
  EXPECT_THAT(outcome.reasons, ElementsAre(StartsWith("plugin everyPoint: PreFilter threw: xxx")));
  EXPECT_EQ(outcome.reasons[0].size(), 1023u);
}

TEST_F(BarrierTest, AThrowInTheConstructorFailsInit) {
  EveryPoint::doing() = [](auto&&...) { throw std::runtime_error("no such shape"); };
  const Outcome outcome = plugin.Start();
  EXPECT_EQ(outcome, (Outcome{BERTH_ERROR, {"plugin everyPoint: init threw: no such shape"}}));
  EXPECT_FALSE(plugin.Offers(BERTH_POINT_FILTER)) << "an instance that failed offers nothing";
}

TEST_F(BarrierTest, AThrowInActivateAndDeactivate) {
  EveryPoint::doing() = [](const std::string& call, auto...) {
    if (call != "init") throw std::runtime_error("not now");
  };
  EXPECT_EQ(plugin.Start(), (Outcome{BERTH_ERROR, {"plugin everyPoint: Activate threw: not now"}}));
  EveryPoint::doing() = [](const std::string& call, auto...) {
    if (call == "Deactivate") throw std::runtime_error("not now");
  };
  ASSERT_TRUE(plugin.Activate().ok());
  plugin.Deactivate();
  log_ = plugin.host().Log();
  EXPECT_THAT(ErrorLines(), ElementsAre("plugin everyPoint: Deactivate threw: not now"));
  EXPECT_EQ(log_[0].file, "barrier.hpp");
}

TEST_F(BarrierTest, AThrowWhileArgsAreJudged) {
  EveryPoint::doing() = [](auto&&...) { throw std::runtime_error("boom"); };
  EXPECT_THAT(plugin.Complete(FakeValue()).Errors(), ElementsAre("plugin everyPoint: reading its args threw: boom"));
  EXPECT_EQ(plugin.Complete(FakeValue()).json, "");
  EveryPoint::doing() = [](auto&&...) { throw 1; };
  EXPECT_THAT(plugin.Check(FakeValue()).Errors(), ElementsAre(HasSubstr("something that is no std::exception")));
}

TEST_F(BarrierTest, AThrowInInterestsAsksForEveryEvent) {
  ASSERT_TRUE(plugin.Start().ok());
  EveryPoint::doing() = [](auto&&...) { throw std::runtime_error("boom"); };
  EXPECT_THAT(plugin.Interests(), ElementsAre(InterestOutcome{"*", BERTH_ACTION_ALL, false}));
}

// ---- statuses

struct Statuses {
  static constexpr Info kInfo{.name = "statuses"};
  static Status& next() {
    static Status next;
    return next;
  }
  Status PreEnqueue(Cycle&, const Pod&) { return next(); }
  Status PreFilter(Cycle&, const Pod&) { return next(); }
  Status Filter(Cycle&, const Pod&, Rows, std::span<berth_verdict>) { return next(); }
  Status Score(Cycle&, const Pod&, Rows, std::span<int64_t> out) { return out[0] = 9, next(); }
  Status Permit(Cycle&, const Pod&, Id, std::chrono::nanoseconds&) { return next(); }
  Status Bind(Cycle&, const Pod&, Id) { return next(); }
  Status PreBind(Cycle&, const Pod&, Id, Op&) { return next(); }
};

class StatusTest : public ::testing::Test {
 protected:
  StatusTest() : plugin(TestPlugin<Statuses>()) {
    plugin.cluster().Add(FakeNode("n1"));
    EXPECT_TRUE(plugin.Start().ok());
    attempt = plugin.Try(FakePod());
  }
  ~StatusTest() override {
    attempt.reset();
    plugin.Stop();
    EXPECT_THAT(plugin.Violations(), IsEmpty());
  }
  PluginUnderTest plugin;
  std::unique_ptr<Attempt> attempt;
};

TEST_F(StatusTest, CodesAndReasonsCross) {
  const std::vector<std::pair<Status, Outcome>> cases = {
      {Status::Ok(), {BERTH_SUCCESS, {}}},
      {Status::Error("broken"), {BERTH_ERROR, {"broken"}}},
      {Status::Unschedulable("full"), {BERTH_UNSCHEDULABLE, {"full"}}},
      {Status::Unresolvable("never"), {BERTH_UNRESOLVABLE, {"never"}}},
      {Status(BERTH_UNSCHEDULABLE, {"one", "two", ""}), {BERTH_UNSCHEDULABLE, {"one", "two", ""}}},
      {Status::Skip(), {BERTH_SKIP, {}}},
  };
  for (const auto& [status, expected] : cases) {
    Statuses::next() = status;
    EXPECT_EQ(attempt->PreFilter(), expected);
  }
  Statuses::next() = Status::Pending("soon");
  EXPECT_EQ(attempt->PreEnqueue(), (Outcome{BERTH_PENDING, {"soon"}}));
}

TEST_F(StatusTest, CodesThatAreNotACallsToReturnAreErrors) {
  const auto refused = [](const Outcome& outcome) {
    return outcome.code == BERTH_ERROR && outcome.reasons.size() == 1 &&
           outcome.reasons[0].find("returned a status that is not its to return") != std::string::npos;
  };
  Statuses::next() = Status::Skip();
  EXPECT_TRUE(refused(attempt->PreEnqueue()));
  EXPECT_TRUE(refused(attempt->Filter()));
  EXPECT_TRUE(refused(attempt->Permit("n1")));
  EXPECT_EQ(attempt->Bind("n1").code, BERTH_SKIP);
  Statuses::next() = Status::Wait();
  EXPECT_TRUE(refused(attempt->PreFilter()));
  EXPECT_EQ(attempt->Permit("n1").code, BERTH_WAIT);
  Statuses::next() = Status::Uniform();
  EXPECT_TRUE(refused(attempt->Filter()));
  EXPECT_EQ(attempt->Score().nodes.at("n1"), 9);
  Statuses::next() = Status::Later();
  EXPECT_TRUE(refused(attempt->Bind("n1"))) << "it got no operation to keep";
  EXPECT_THAT(attempt->PreBind("n1"), (Outcome{BERTH_ERROR, {"it answered LATER without keeping the operation"}}));
}

}  // namespace
}  // namespace berth::sdk::testing
