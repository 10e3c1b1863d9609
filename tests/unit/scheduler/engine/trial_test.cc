// Trials in PostFilter: the verdict of the whole profile on a row without some pods or with others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/trial.hpp"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A pod on a node, with this priority.
std::string On(const std::string& node, int priority = 0) {
  return R"("nodeName":")" + node + R"(","priority":)" + std::to_string(priority);
}

// Rejects rows with more than `most` pods.
auto AtMost(uint32_t most) {
  return [most](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    if (node.pods().size() > most) verdict = sdk::Verdict::Unschedulable(c.Reasons("crowded"));
    return Status::Ok();
  };
}

std::vector<std::string> PodNames(sdk::PodList pods) {
  std::vector<std::string> names;
  for (const Pod& pod : pods) names.emplace_back(pod.name());
  return names;
}

// A rig whose plugin A runs `fn` in PostFilter for pods with names p..., on a cluster that the test fills.
using InPostFilter = std::function<void(Cycle&, const Pod&, const sdk::Trials&)>;
void During(const InPostFilter& fn) {
  ScriptOf("A").post_filter = [fn](Cycle& c, const Pod& pod, const sdk::Diagnosis&, sdk::Nomination&) {
    fn(c, pod, sdk::Trials(HostOf("A")));
    return Status(BERTH_UNSCHEDULABLE);
  };
}

TEST(Trials, RemoveAndAddPodsForAllPlugins) {
  TestScheduler rig({{.plugins = {"A", "B"}}});
  ScriptOf("B").filter = AtMost(0);
  std::vector<std::string> seen;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    const std::vector<Pod> pods(c.snap().Pods(0).begin(), c.snap().Pods(0).end());
    ASSERT_EQ(pods.size(), 2u);
    {
      sdk::Trial trial = trials.Open(c, 0);
      trial.Remove(pods[0]);
      const sdk::TrialVerdict crowded = trial.Filter();
      EXPECT_EQ(crowded.verdict.code, BERTH_UNSCHEDULABLE);
      EXPECT_EQ(HostOf("A").Text(crowded.plugin), "B");
      const sdk::List<berth_str> texts = c.ReasonTexts(crowded.verdict.reasons);
      ASSERT_EQ(texts.size(), 1u);
      EXPECT_EQ(sdk::View(texts[0]), "crowded");
      trial.Remove(pods[1]);
      EXPECT_TRUE(trial.Filter().ok());
      seen = PodNames(c.snap().Pods(0));
      trial.Add(pods[1]);
      EXPECT_FALSE(trial.Filter().ok());
    }
    EXPECT_THAT(PodNames(c.snap().Pods(0)), testing::UnorderedElementsAre("v1", "v2"));
  });
  rig.AddNodes({"n1"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("v2", On("n1"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(seen, IsEmpty());
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable 0/1 nodes are available: 1 crowded."));
}

TEST(Trials, AllowDifferentRowsAtOnceButEachRowOnce) {
  TestScheduler rig;
  ScriptOf("A").filter = AtMost(0);
  int opened = 0;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    sdk::Trial first = trials.Open(c, 0);
    sdk::Trial second = trials.Open(c, 1);
    second.Remove(c.snap().Pods(1).front());
    EXPECT_FALSE(first.Filter().ok());
    EXPECT_TRUE(second.Filter().ok());
    EXPECT_THROW((void)trials.Open(c, 1), sdk::TrialError);
    EXPECT_THROW((void)trials.Open(c, 2), sdk::TrialError) << "no node";
    EXPECT_THROW((void)trials.Open(c, 1u << 20), sdk::TrialError);
    ++opened;
  });
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("v2", On("n2"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(opened, 1);
}

// A counter in the cycle data of a plugin that knows all its copies.
struct Count {
  explicit Count(int n) : pods(n) { ++alive; }
  Count(const Count& other) : pods(other.pods) { ++alive, ++copies; }
  ~Count() { --alive; }
  int pods;
  static inline int alive = 0, copies = 0;
};

TEST(Trials, CopyCycleDataOnceAtTheFirstChange) {
  TestScheduler rig;
  Script& a = ScriptOf("A");
  a.pre_filter = [](Cycle& c, const Pod&, sdk::NameSet&) { return c.Set<Count>(1), Status::Ok(); };
  a.filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    if (c.Get<Count>().pods > 0) verdict = sdk::Verdict::Unschedulable(c.Reasons("taken"));
    return Status::Ok();
  };
  a.add_pod = [](Cycle& c, const Pod&, const Pod&, sdk::Node) { return ++c.Get<Count>().pods, Status::Ok(); };
  a.remove_pod = [](Cycle& c, const Pod&, const Pod&, sdk::Node) { return --c.Get<Count>().pods, Status::Ok(); };
  Count::copies = 0;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    const Pod pod = c.snap().Pods(0).front();
    {
      sdk::Trial trial = trials.Open(c, 0);
      EXPECT_FALSE(trial.Filter().ok());
      EXPECT_EQ(Count::copies, 0) << "nothing has changed";
      trial.Remove(pod);
      EXPECT_TRUE(trial.Filter().ok());
      trial.Add(pod);
      EXPECT_FALSE(trial.Filter().ok());
      EXPECT_EQ(Count::copies, 1);
      EXPECT_EQ(c.Get<Count>().pods, 1) << "the cycle's own data";
    }
    EXPECT_EQ(Count::alive, 1);
    sdk::Trial again = trials.Open(c, 0);
    EXPECT_FALSE(again.Filter().ok()) << "as it was";
  });
  rig.AddNodes({"n1"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(Count::alive, 0);
  EXPECT_EQ(Count::copies, 1);
}

// Pods of two rows leave: cycle data is copied once, each row shows its own pods, and everything comes back.
TEST(Trials, TurnToOtherRows) {
  TestScheduler rig;
  Script& a = ScriptOf("A");
  a.pre_filter = [](Cycle& c, const Pod&, sdk::NameSet&) { return c.Set<Count>(2), Status::Ok(); };
  a.filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    if (c.Get<Count>().pods > 0) verdict = sdk::Verdict::Unschedulable(c.Reasons("taken"));
    return Status::Ok();
  };
  std::vector<std::string> told;
  a.remove_pod = [&](Cycle& c, const Pod&, const Pod& removed, sdk::Node node) {
    told.push_back(std::string(removed.name()) + " of " + std::string(HostOf("A").Text(node.name())));
    return --c.Get<Count>().pods, Status::Ok();
  };
  a.add_pod = [](Cycle& c, const Pod&, const Pod&, sdk::Node) { return ++c.Get<Count>().pods, Status::Ok(); };
  Count::copies = 0;
  int tried = 0;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    const Pod first = c.snap().Pods(0).front(), second = c.snap().Pods(1).front();
    {
      sdk::Trial trial = trials.Open(c, 0);
      trial.Remove(first);
      EXPECT_FALSE(trial.Filter().ok()) << "the pod of the other row is there";
      trial.On(1).Remove(second);
      EXPECT_TRUE(trial.Filter().ok());
      EXPECT_TRUE(trial.On(0).Filter().ok());
      EXPECT_TRUE(trial.On(2).Filter().ok()) << "a row whose pods stay";
      EXPECT_THAT(PodNames(c.snap().Pods(0)), IsEmpty());
      EXPECT_THAT(PodNames(c.snap().Pods(1)), IsEmpty());
      trial.On(1).Add(second);
      EXPECT_FALSE(trial.On(0).Filter().ok());
      EXPECT_THAT(PodNames(c.snap().Pods(1)), ElementsAre("v2"));
      EXPECT_EQ(Count::copies, 1);
    }
    EXPECT_THAT(PodNames(c.snap().Pods(0)), ElementsAre("v1"));
    EXPECT_THAT(PodNames(c.snap().Pods(1)), ElementsAre("v2"));
    EXPECT_FALSE(trials.Open(c, 1).Filter().ok()) << "as it was";
    ++tried;
  });
  rig.AddNodes({"n1", "n2", "n3"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("v2", On("n2"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(tried, 1);
  EXPECT_THAT(told, ElementsAre("v1 of n1", "v2 of n2"));
  EXPECT_EQ(Count::alive, 0);
}

TEST(Trials, HoldTheRowsThatTheyTurnedTo) {
  TestScheduler rig;
  ScriptOf("A").filter = AtMost(0);
  int tried = 0;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    {
      sdk::Trial other = trials.Open(c, 1);
      sdk::Trial trial = trials.Open(c, 0);
      EXPECT_THROW(trial.On(1), sdk::TrialError) << "has a trial";
      EXPECT_THROW(trial.On(3), sdk::TrialError) << "no node";
      EXPECT_THROW(trial.On(1u << 20), sdk::TrialError);
      trial.Remove(c.snap().Pods(0).front());
      EXPECT_TRUE(trial.Filter().ok()) << "it stayed where it was";
      trial.On(2);
      EXPECT_THROW((void)trials.Open(c, 2), sdk::TrialError);
    }
    EXPECT_NO_THROW((void)trials.Open(c, 2));
    ++tried;
  });
  rig.AddNodes({"n1", "n2", "n3"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("v2", On("n2"));
  rig.AddPod("v3", On("n3"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(tried, 1);
}

// R's results depend only on the sum of requests: those of one row are not taken for those of another.
TEST(Trials, KeepTheResultsOfTheirRowsApart) {
  TestScheduler rig({{.plugins = {"R", "A"}}});
  ScriptOf("R").filter = [](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    if (HostOf("R").Text(node.name()) == "n2") verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
    return Status::Ok();
  };
  ScriptOf("A").filter = AtMost(0);
  std::vector<bool> fits;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    sdk::Trial trial = trials.Open(c, 0);
    trial.Remove(c.snap().Pods(0).front());
    for (const uint32_t row : {0u, 1u, 0u, 1u}) fits.push_back(trial.On(row).Filter().ok());
  });
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(fits, ElementsAre(true, false, true, false));
}

TEST(Trials, DoNotCallASkippedPlugin) {
  TestScheduler rig({{.plugins = {"A", "B"}}});
  ScriptOf("A").filter = AtMost(0);
  ScriptOf("B").pre_filter = [](Cycle&, const Pod&, sdk::NameSet&) { return Status::Skip(); };
  int calls = 0;
  ScriptOf("B").remove_pod = [&](Cycle&, const Pod&, const Pod&, sdk::Node) { return ++calls, Status::Ok(); };
  ScriptOf("B").filter = [&](Cycle&, const Pod&, sdk::Node, sdk::Verdict&) { return ++calls, Status::Ok(); };
  bool fits = false;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    sdk::Trial trial = trials.Open(c, 0);
    trial.Remove(c.snap().Pods(0).front());
    fits = trial.Filter().ok();
  });
  rig.AddNodes({"n1"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_TRUE(fits);
  EXPECT_EQ(calls, 0);
}

// A trial uses the kept result of K from the cycle, whichever pods leave.
TEST(Trials, UseKeptResultsThatDoNotDependOnPods) {
  TestScheduler rig({{.plugins = {"K", "A"}}});
  int asked = 0;
  ScriptOf("K").filter = [&](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    ++asked;
    if (HostOf("K").Text(node.name()) == "n2") verdict = sdk::Verdict::Unresolvable(c.Reasons("wrong place"));
    return Status::Ok();
  };
  ScriptOf("A").filter = AtMost(0);
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    const int before = asked;
    for (uint32_t row : {0u, 1u}) {
      sdk::Trial trial = trials.Open(c, row);
      trial.Remove(c.snap().Pods(row).front());
      const sdk::TrialVerdict answer = trial.Filter();
      EXPECT_EQ(answer.verdict.code, row == 0 ? BERTH_SUCCESS : BERTH_UNRESOLVABLE);
      EXPECT_EQ(HostOf("A").Text(answer.plugin), row == 0 ? "" : "K");
    }
    EXPECT_EQ(asked, before);
  });
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("v2", On("n2"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_EQ(asked, 2);
}

// The kept result of R depends only on the sum of requests: the next victim gives the same sum as the one that did not
// fit.
TEST(Trials, UseKeptResultsForTheSameSumOfRequests) {
  TestScheduler rig({{.plugins = {"R", "A"}}});
  int asked = 0;
  ScriptOf("R").filter = [&](Cycle& c, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    ++asked;
    const auto used = c.snap().Int64(BERTH_NODE_REQUESTED, HostOf("R").Intern("cpu"));
    if (used && (*used)[node.row()] > 1000) verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
    return Status::Ok();
  };
  std::vector<bool> fits;
  std::vector<int> questions;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    const std::vector<Pod> pods(c.snap().Pods(0).begin(), c.snap().Pods(0).end());
    sdk::Trial trial = trials.Open(c, 0);
    const auto ask = [&] {
      const int before = asked;
      const sdk::TrialVerdict answer = trial.Filter();
      EXPECT_EQ(HostOf("A").Text(answer.plugin), answer.ok() ? "" : "R");
      fits.push_back(answer.ok());
      questions.push_back(asked - before);
    };
    for (const Pod& pod : pods) trial.Remove(pod);
    ask();
    for (const Pod& pod : pods) {
      trial.Add(pod);
      ask();
      if (!fits.back()) trial.Remove(pod);
    }
    ask();
  });
  rig.AddNodes({"n1"});
  const std::string cpu = R"(,"containers":[{"name":"c","image":"i","resources":{"requests":{"cpu":"1"}}}])";
  for (const char* name : {"v1", "v2", "v3", "v4"}) rig.AddPod(name, On("n1") + cpu);
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(fits, ElementsAre(true, true, false, false, false, true));
  EXPECT_THAT(questions, ElementsAre(1, 1, 1, 0, 0, 1)) << "only the last verdict is remembered";
}

// K declares that its verdict depends only on labels, but reads the pods.
TEST(Trials, CheckedResultsOfAPluginThatDeclaresTooLittleAreAFault) {
  simulation::SimulationOptions options = TestScheduler::DefaultOptions();
  options.engine.check_kept = true;
  TestScheduler rig({{.plugins = {"K", "A"}}}, options);
  ScriptOf("K").filter = AtMost(0);
  std::string text;
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    sdk::Trial trial = trials.Open(c, 0);
    trial.Remove(c.snap().Pods(0).front());
    try {
      (void)trial.Filter();
    } catch (const sdk::TrialError& e) {
      text = e.what();
    }
  });
  rig.AddNodes({"n1"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(text, HasSubstr("its reuse declares too little"));
}

// Trials do not change the kept results of ordinary cycles.
TEST(Trials, DoNotChangeKeptResults) {
  TestScheduler rig({{.plugins = {"K", "A"}}});
  ScriptOf("A").filter = AtMost(1);
  During([&](Cycle& c, const Pod&, const sdk::Trials& trials) {
    sdk::Trial trial = trials.Open(c, 0);
    const std::vector<Pod> pods(c.snap().Pods(0).begin(), c.snap().Pods(0).end());
    for (const Pod& pod : pods) trial.Remove(pod);
    EXPECT_TRUE(trial.Filter().ok());
  });
  rig.AddNodes({"n1"});
  for (const char* name : {"v1", "v2"}) rig.AddPod(name, On("n1"));
  rig.AddPod("p1");
  rig.AddPod("p2");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable 0/1 nodes are available: 1 crowded.",
                                             "p2 Unschedulable 0/1 nodes are available: 1 crowded."));
}

TEST(Trials, CountNominatedPodsOfTheSameOrAHigherPriority) {
  TestScheduler rig;
  ScriptOf("A").filter = [](Cycle& c, const Pod& pod, sdk::Node node, sdk::Verdict& verdict) {
    const bool full = pod.name().starts_with("nominee") || node.pods().size() > 0;
    if (full) verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
    return Status::Ok();
  };
  std::vector<std::string> told;
  ScriptOf("A").add_pod = [&](Cycle&, const Pod& pod, const Pod& added, sdk::Node) {
    told.push_back(std::string(pod.name()) + " +" + std::string(added.name()));
    return Status::Ok();
  };
  std::map<std::string, bool> fits;
  ScriptOf("A").post_filter = [&](Cycle& c, const Pod& pod, const sdk::Diagnosis&, sdk::Nomination& out) {
    if (pod.name().starts_with("nominee")) return out.Set(c.snap().View(0).name()), Status(BERTH_UNSCHEDULABLE);
    told.clear();
    const sdk::Trials trials(HostOf("A"));
    sdk::Trial trial = trials.Open(c, 0);
    trial.Remove(c.snap().Pods(0).front());
    fits[std::string(pod.name())] = trial.Filter().ok();
    EXPECT_THAT(PodNames(c.snap().Pods(0)), IsEmpty()) << "the nominee is taken off again";
    return Status(BERTH_UNSCHEDULABLE);
  };
  rig.AddNodes({"n1"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("nominee", R"("priority":10)");
  rig.Run();
  rig.AddPod("equal", R"("priority":10)");
  rig.Run();
  EXPECT_THAT(told, ElementsAre("equal +nominee"));
  rig.AddPod("higher", R"("priority":11)");
  rig.Run();
  EXPECT_THAT(told, IsEmpty());
  EXPECT_FALSE(fits["equal"]);
  EXPECT_TRUE(fits["higher"]);
}

TEST(Trials, AreAllowedOnEveryRowAfterPreFilterRejected) {
  TestScheduler rig;
  ScriptOf("A").pre_filter = [](Cycle&, const Pod&, sdk::NameSet&) { return Status::Unschedulable("not now"); };
  bool fits = false;
  ScriptOf("A").post_filter = [&](Cycle& c, const Pod&, const sdk::Diagnosis& why, sdk::Nomination&) {
    EXPECT_EQ(why.verdict(0).code, BERTH_SUCCESS);
    EXPECT_EQ(why.absent().code, BERTH_UNSCHEDULABLE);
    const sdk::List<berth_str> texts = c.ReasonTexts(why.absent().reasons);
    EXPECT_EQ(texts.size(), 1u);
    const sdk::Trials trials(HostOf("A"));
    sdk::Trial trial = trials.Open(c, 0);
    fits = trial.Filter().ok();
    return Status::Unschedulable("looked");
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_TRUE(fits);
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Unschedulable 0/1 nodes are available: not now. looked"));
}

struct Slip {
  const char* name;
  std::function<void(Cycle&, const sdk::Trials&)> slip;
  std::string text;  // part of the message after PostFilter returned ERROR
};
class TrialSlips : public testing::TestWithParam<Slip> {};

TEST_P(TrialSlips, AppearInTheMessage) {
  TestScheduler rig;
  ScriptOf("A").filter = AtMost(0);
  ScriptOf("A").remove_pod = [](Cycle&, const Pod&, const Pod&, sdk::Node) { return Status::Error("lost count"); };
  ScriptOf("A").add_pod = [](Cycle& c, const Pod&, const Pod&, sdk::Node) {
    c.Set<int>(1);  // [serial] only: dropped
    return Status::Ok();
  };
  During([](Cycle& c, const Pod&, const sdk::Trials& trials) { GetParam().slip(c, trials); });
  rig.AddNodes({"n1"});
  rig.AddPod("v1", On("n1"));
  rig.AddPod("p1");
  rig.Run();
  ASSERT_EQ(rig.story.entries.size(), 1u);
  EXPECT_THAT(rig.story.entries[0].message, HasSubstr(GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(Every, TrialSlips,
                         testing::Values(Slip{"PluginFails",
                                              [](Cycle& c, const sdk::Trials& trials) {
                                                trials.Open(c, 0).Remove(c.snap().Pods(0).front());
                                              },
                                              "running RemovePod on PreFilter plugin \"A\": lost count"},
                                         Slip{"NotThere",
                                              [](Cycle& c, const sdk::Trials& trials) {
                                                const Pod pod = c.snap().Pods(0).front();
                                                sdk::Trial trial = trials.Open(c, 0);
                                                try {
                                                  trial.Remove(pod);
                                                } catch (const sdk::TrialError&) {
                                                  trial.Remove(pod);
                                                }
                                              },
                                              "no corresponding pod v1 in pods of node n1"},
                                         Slip{"LeftOpen",
                                              [](Cycle& c, const sdk::Trials&) {
                                                const berth_host* host = HostOf("A").raw();
                                                const auto* table = static_cast<const berth_trials*>(
                                                    host->service(host, BERTH_SERVICE_TRIAL));
                                                EXPECT_NE(table->open(host, c.raw(), 0), nullptr);
                                              },
                                              "left a trial open"},
                                         Slip{"SetsData",
                                              [](Cycle& c, const sdk::Trials& trials) {
                                                const Pod pod = c.snap().Pods(0).front();
                                                trials.Open(c, 0).Add(pod);
                                                throw std::runtime_error(c.Find<int>() == nullptr ? "nothing was set"
                                                                                                  : "it was set");
                                              },
                                              "nothing was set"}),
                         [](const testing::TestParamInfo<Slip>& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace berth::fixture
