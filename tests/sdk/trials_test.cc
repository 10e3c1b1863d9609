// The wrappers of trials and nominations over their fakes, and the mistakes that the fakes report.
#include "berth/trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/nominate.hpp"
#include "berth/pods.hpp"
#include "berth/testing/fake_nominations.hpp"
#include "berth/testing/fake_pods.hpp"
#include "berth/testing/fake_trials.hpp"
#include "every_point.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class FakeTrialsTest : public ::testing::Test {
 protected:
  using Body = std::function<void(Host&, Cycle&)>;
  FakeTrialsTest() {
    plugin_.cluster()
        .Add(FakeNode("n1").Allocatable({{"cpu", 1000}, {"pods", 2}}))
        .Add(FakeNode("n2").Allocatable({{"cpu", 100}, {"pods", 9}}))
        .Add(small_, "n1")
        .Add(large_, "n1");
  }
  ~FakeTrialsTest() override {
    EveryPoint::doing() = {};
    plugin_.Stop();
  }
  // Runs body in PostFilter of a pod that requests half a CPU.
  PostFilterOutcome In(const Body& body) {
    if (!std::exchange(started_, true)) {
      EXPECT_TRUE(plugin_.Start().ok());
    }
    EveryPoint::doing() = [&](const std::string& call, EveryPoint* self, Cycle* cycle, const Pod*) {
      if (call == "PostFilter") body(self->host, *cycle);
    };
    return plugin_.Try(FakePod("p").Priority(5).Req({{"cpu", 500}}))->PostFilter();
  }
  uint32_t Row(const char* node) { return plugin_.cluster().RowOf(node); }

  FakePod small_ = FakePod("small").Req({{"cpu", 100}}), large_ = FakePod("large").Req({{"cpu", 800}});
  PluginUnderTest plugin_ = TestPlugin<EveryPoint>();
  FakeNominations nominations_{plugin_.host()};
  FakeTrials trials_{plugin_.host(), &nominations_};
  bool started_ = false;
};

TEST_F(FakeTrialsTest, JudgesRequestsUnlessToldOtherwise) {
  In([&](Host& host, Cycle& cycle) {
    const Trials trials(host);
    const PodList pods = cycle.snap().Pods(Row("n1"));
    Trial trial = trials.Open(cycle, Row("n1"));
    const TrialVerdict full = trial.Filter();
    EXPECT_EQ(full.verdict.code, BERTH_UNSCHEDULABLE);
    EXPECT_EQ(TextOf(full.plugin), "NodeResourcesFit");
    EXPECT_THAT(plugin_.host().ReasonTexts(full.verdict.reasons), ElementsAre("Insufficient cpu", "Too many pods"));
    trial.Remove(pods[1]);
    EXPECT_TRUE(trial.Filter().ok());
    trial.Add(pods[1]);
    EXPECT_FALSE(trial.Filter().ok());
    EXPECT_EQ(trials.Open(cycle, Row("n2")).Filter().verdict.code, BERTH_UNRESOLVABLE) << "even when empty";
  });
  EXPECT_EQ(trials_.open(), 0u);
  EXPECT_THAT(trials_.opened(), ElementsAre("n1", "n2"));
  EXPECT_THAT(trials_.steps(),
              ElementsAre("filter", "remove default/large", "filter", "add default/large", "filter", "filter"));
  EXPECT_THAT(plugin_.Violations(), IsEmpty());
}

TEST_F(FakeTrialsTest, ATrialTurnsToOtherRowsAndTheRuleSeesThemAll) {
  std::vector<std::string> seen;
  trials_.Rule([&](const FakeTrials::Row& row) {
    std::string text = TextOf(row.node.name()) + ":" + std::to_string(row.pods.size());
    for (const FakeTrials::Row& other : row.others) {
      text += " " + TextOf(other.node.name()) + ":" + std::to_string(other.pods.size());
    }
    seen.push_back(text);
    return FakeTrials::Answer{};
  });
  In([&](Host& host, Cycle& cycle) {
    const Trials trials(host);
    const Pod small = cycle.snap().Pods(Row("n1"))[0];
    Trial trial = trials.Open(cycle, Row("n1"));
    trial.Remove(small);
    (void)trial.Filter();
    trial.On(Row("n2")).Add(small);
    (void)trial.Filter();
    EXPECT_THROW(trial.On(1), TrialError) << "a dead row";
    EXPECT_THROW((void)trials.Open(cycle, Row("n2")), TrialError);
    (void)trial.On(Row("n1")).Filter();
  });
  EXPECT_THAT(seen, ElementsAre("n1:1", "n2:1 n1:1", "n1:1 n2:1"));
  EXPECT_THAT(trials_.steps(), ElementsAre("remove default/small", "filter", "turn to n2", "add default/small",
                                           "filter", "turn to n1", "filter"));
  EXPECT_EQ(trials_.open(), 0u);
  EXPECT_THAT(plugin_.Violations(), IsEmpty());
}

TEST_F(FakeTrialsTest, NomineesOfAtLeastThePodsPriorityCountFirst) {
  nominations_.Nominate(FakePod("equal").Priority(5).Req({{"cpu", 600}}), "n1");
  nominations_.Nominate(FakePod("lower").Priority(4).Req({{"cpu", 600}}), "n1");
  std::vector<size_t> pods;
  trials_.Rule([&](const FakeTrials::Row& row) {
    pods.push_back(row.pods.size());
    return FakeTrials::Answer{};
  });
  In([&](Host& host, Cycle& cycle) {
    const Trials trials(host);
    (void)trials.Open(cycle, Row("n1")).Filter();
  });
  EXPECT_THAT(pods, ElementsAre(3, 2));
}

TEST_F(FakeTrialsTest, FailuresAreThrownAndMayBecomeThePluginsError) {
  trials_.FailOn("default/large", "lost count");
  const PostFilterOutcome outcome = In([&](Host& host, Cycle& cycle) {
    const Trials trials(host);
    EXPECT_THROW((void)trials.Open(cycle, 1), TrialError) << "a dead row";
    const Pod large = cycle.snap().Pods(Row("n1"))[1];
    trials.Open(cycle, Row("n1")).Remove(large);
  });
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  ASSERT_THAT(outcome.reasons, SizeIs(1));
  EXPECT_THAT(outcome.reasons[0], HasSubstr("lost count"));
}

TEST_F(FakeTrialsTest, RemovingAPodThatIsNotThereIsAViolation) {
  In([&](Host& host, Cycle& cycle) {
    const Pod large = cycle.snap().Pods(Row("n1"))[1];
    const Trials trials(host);
    Trial trial = trials.Open(cycle, Row("n1"));
    trial.Remove(large);
    trial.Remove(large);
  });
  EXPECT_THAT(plugin_.Violations(), ElementsAre("trial remove() of pod default/large, which is not there"));
}

TEST_F(FakeTrialsTest, NominationsAreListedClearedAndPodsGivenUp) {
  nominations_.Nominate(FakePod("a").Priority(1), "n1").Nominate(FakePod("b").Priority(9), "n1").OnItsWay("uid-1");
  In([&](Host& host, Cycle&) {
    const Nominations nominations(host);
    const PodList list = nominations.OfNode(IdOf("n1"));
    ASSERT_EQ(list.size(), 2u);
    nominations.Clear(list[0]);
    EXPECT_EQ(list[0].name(), "a") << "borrowed for the whole call";
    EXPECT_EQ(nominations.OfNode(IdOf("n1")).size(), 1u);
    EXPECT_TRUE(nominations.OfNode(IdOf("n2")).empty());
    const List<Id> nodes = nominations.Nodes();
    ASSERT_EQ(nodes.size(), 1u);
    EXPECT_EQ(nodes[0], IdOf("n1"));
    EXPECT_TRUE(nominations.GiveUp("uid-1", "preempted"));
    EXPECT_FALSE(nominations.GiveUp("uid-1", "preempted"));
  });
  EXPECT_THAT(nominations_.cleared(), ElementsAre("default/a"));
  EXPECT_THAT(nominations_.given_up(), ElementsAre("uid-1: preempted"));
}

TEST_F(FakeTrialsTest, PodsAreListedByLabel) {
  FakePods pods(plugin_.host());
  pods.Put(FakePod("b").Label("app", "web")).Put(FakePod("a").Label("app", "web")).Put(FakePod("c"));
  const auto web = [](Host& host) {
    const PodList list = PodLister(host).Labeled(IdOf("default"), IdOf("app"), IdOf("web"));
    std::vector<std::string> names;
    for (const Pod& pod : list) names.push_back(std::string(pod.name()) + "@" + TextOf(pod.node_name()));
    return names;
  };
  In([&](Host& host, Cycle&) { EXPECT_THAT(web(host), ElementsAre("a@", "b@")); });
  pods.Put(FakePod("a").Label("app", "web").Node("n1")).Remove(FakePod("b"));
  In([&](Host& host, Cycle&) { EXPECT_THAT(web(host), ElementsAre("a@n1")); });
}

TEST_F(FakeTrialsTest, AHostWithoutTheServicesSaysSo) {
  plugin_.host().Without(BERTH_SERVICE_TRIAL).Without(BERTH_SERVICE_NOMINATE);
  const PostFilterOutcome outcome = In([&](Host& host, Cycle& cycle) {
    const Trials trials(host);
    (void)trials.Open(cycle, Row("n1"));
  });
  EXPECT_EQ(outcome.code, BERTH_ERROR);
  ASSERT_THAT(outcome.reasons, SizeIs(1));
  EXPECT_THAT(outcome.reasons[0], HasSubstr("this host does not offer berth.host.trial/1: open"));
  const PostFilterOutcome other = In([&](Host& host, Cycle&) { (void)Nominations(host).OfNode(IdOf("n1")); });
  EXPECT_THAT(other.reasons[0], HasSubstr("this host does not offer berth.host.nominate/1: of_node"));
  const PostFilterOutcome pods = In([&](Host& host, Cycle&) { (void)PodLister(host).Labeled(1, 1, 1); });
  EXPECT_THAT(pods.reasons[0], HasSubstr("this host does not offer berth.host.pods/1: labeled"));
}

}  // namespace
}  // namespace berth::sdk::testing
