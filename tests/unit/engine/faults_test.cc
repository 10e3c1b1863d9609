// A plugin that breaks fails the attempt it breaks in, by name; other profiles go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "berth/extenders.hpp"
#include "berth/trial.hpp"
#include "engine/newcomers.h"
#include "log/capture.h"
#include "rig.h"

namespace berth::fixture {
namespace {

using testing::HasSubstr;

struct Fault {
  const char* name;
  std::function<void(Script&)> install;
  std::string text;  // in the attempt's message
};

class Faults : public testing::TestWithParam<Fault> {};

// B breaks in profile "broken"; profile "default-scheduler" has A alone.
TEST_P(Faults, FailTheAttemptAndNothingElse) {
  ProfilePlan broken{.scheduler_name = "broken", .plugins = {"B", "A"}};
  broken.faults.call_deadline_ns = base::kSecond / 20;
  Rig rig({{}, broken});
  GetParam().install(ScriptOf("B"));
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("bad", R"("schedulerName":"broken")");
  rig.AddPod("good");
  rig.Run();
  std::map<std::string, simulate::AttemptEntry> last;
  for (const auto& entry : rig.story.entries) last[entry.pod] = entry;
  EXPECT_EQ(last["default/good"].result, "Scheduled");
  EXPECT_EQ(last["default/bad"].result, "Error");
  EXPECT_THAT(last["default/bad"].message, HasSubstr("\"B\""));
  EXPECT_THAT(last["default/bad"].message, HasSubstr(GetParam().text));
  EXPECT_FALSE(rig.simulation->engine().cache().IsAssumed("pod-bad"));
}

Status Throwing() { throw std::runtime_error("the sky fell"); }

INSTANTIATE_TEST_SUITE_P(
    Every, Faults,
    testing::Values(
        Fault{"PreFilterThrows", [](Script& s) { s.pre_filter = [](auto&&...) { return Throwing(); }; },
              "the sky fell"},
        Fault{"FilterThrows", [](Script& s) { s.filter = [](auto&&...) { return Throwing(); }; }, "the sky fell"},
        Fault{"FilterFails", [](Script& s) { s.filter = [](auto&&...) { return Status::Error("lost my tables"); }; },
              "lost my tables"},
        Fault{"FilterVerdictError",
              [](Script& s) {
                s.filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
                  verdict = sdk::Verdict::Error(c.Reasons("cannot read the node"));
                  return Status::Ok();
                };
              },
              "cannot read the node"},
        Fault{"PreScoreFails", [](Script& s) { s.pre_score = [](auto&&...) { return Status::Error("no scale"); }; },
              "no scale"},
        Fault{"ScoreThrows",
              [](Script& s) { s.score = [](auto&&...) -> int64_t { throw std::runtime_error("cannot count"); }; },
              "cannot count"},
        Fault{"ScoreTooHigh", [](Script& s) { s.score = [](auto&&...) -> int64_t { return 101; }; },
              "returns an invalid score 101, it should in the range of [0, 100] after normalizing"},
        Fault{"NormalizeNegative",
              [](Script& s) {
                s.normalize = [](Cycle&, const Pod&, std::span<int64_t> io) {
                  io[0] = -1;
                  return Status::Ok();
                };
              },
              "returns an invalid score -1"},
        Fault{"ReserveThrows", [](Script& s) { s.reserve = [](auto&&...) { return Throwing(); }; }, "the sky fell"},
        Fault{"PermitThrows", [](Script& s) { s.permit = [](auto&&...) { return Throwing(); }; }, "the sky fell"},
        Fault{"PreBindThrows", [](Script& s) { s.pre_bind = [](auto&&...) { return Throwing(); }; }, "the sky fell"},
        Fault{"PreBindDropsItsOperation",
              [](Script& s) {
                s.pre_bind = [](Cycle&, const Pod&, Id, sdk::Op& op) {
                  sdk::Op kept(std::move(op));
                  return Status::Later();
                };
              },
              "dropped the operation"},
        Fault{"BindThrows", [](Script& s) { s.bind = [](auto&&...) { return Throwing(); }; }, "the sky fell"},
        Fault{"JunkCode", [](Script& s) { s.pre_filter = [](auto&&...) { return Status(77); }; }, "77"},
        Fault{"WaitFromReserve", [](Script& s) { s.reserve = [](auto&&...) { return Status(BERTH_WAIT); }; },
              "a status that is not its to return: 4"},
        Fault{"Late",
              [](Script& s) {
                s.pre_filter = [](auto&&...) {
                  std::this_thread::sleep_for(std::chrono::milliseconds(80));
                  return Status::Ok();
                };
              },
              "later than its deadline of 0.05s"}),
    [](const testing::TestParamInfo<Fault>& info) { return std::string(info.param.name); });

// Also where no attempt fails of it, so that nobody would hear of it otherwise.
TEST(Faults, AreLoggedWithPluginPointAndPodAndCounted) {
  struct Case {
    const char* point;
    std::function<void(Script&)> install;
  };
  const auto throws = [](auto&&...) -> Status { return Throwing(); };
  const auto throws_nothing_to_say = [](auto&&...) { throw std::runtime_error("the sky fell"); };
  const std::vector<Case> cases = {
      {"PreEnqueue", [&](Script& s) { s.pre_enqueue = throws; }},
      {"PreFilter", [&](Script& s) { s.pre_filter = throws; }},
      {"Filter", [&](Script& s) { s.filter = throws; }},
      {"PostFilter",
       [&](Script& s) {
         s.filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
           verdict = sdk::Verdict::Unschedulable(c.Reasons("no"));
           return Status::Ok();
         };
         s.post_filter = throws;
       }},
      {"PreScore", [&](Script& s) { s.pre_score = throws; }},
      {"Score", [&](Script& s) { s.score = [](auto&&...) -> int64_t { throw std::runtime_error("the sky fell"); }; }},
      {"NormalizeScore", [&](Script& s) { s.normalize = throws; }},
      {"Reserve", [&](Script& s) { s.reserve = throws; }},
      {"Unreserve",
       [&](Script& s) {
         s.permit = [](auto&&...) { return Status(BERTH_UNSCHEDULABLE); };
         s.unreserve = throws_nothing_to_say;
       }},
      {"Permit", [&](Script& s) { s.permit = throws; }},
      {"PreBindPreFlight", [&](Script& s) { s.pre_flight = throws; }},
      {"PreBind", [&](Script& s) { s.pre_bind = throws; }},
      {"Bind", [&](Script& s) { s.bind = throws; }},
      {"PostBind", [&](Script& s) { s.post_bind = throws_nothing_to_say; }},
  };
  for (const Case& one : cases) {
    std::vector<std::string> counted;
    Rig rig({{.plugins = {"B", "A"}}});
    rig.services.on_fault = [&](const plugin::Instance& instance, const char* what) {
      counted.push_back(instance.name() + "/" + what);
    };
    one.install(ScriptOf("B"));
    rig.AddNodes({"n1", "n2"});
    const log::Capture log;
    rig.AddPod("bad");
    rig.Run();
    ASSERT_FALSE(counted.empty()) << one.point;
    EXPECT_THAT(counted, testing::Each(std::string("B/") + one.point));
    EXPECT_THAT(log.Messages(),
                testing::Contains(testing::ContainsRegex(std::string("^\"Plugin fault\" plugin=\"B\" .*point=\"") +
                                                         one.point + "\" pod=\"default/bad\" .*the sky fell")))
        << one.point;
  }
}

// A plugin may fail at each row of each pod: the log is left room for others.
TEST(Faults, AreNotAllLoggedWhenThereAreTooMany) {
  Rig rig({{.plugins = {"B", "A"}}});
  plugin::Instance* b = rig.simulation->engine().profiles().profiles.front()->Find(rig.words.ids.Find("B"));
  ASSERT_NE(b, nullptr);
  const log::Capture log;
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 2000; ++i) b->Fault("Filter", "did it again");
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(std::chrono::steady_clock::now() - began).count();
  EXPECT_EQ(b->faults(), 2000u);
  const size_t lines = log.Messages().size();
  EXPECT_GE(lines, 50u);
  EXPECT_LE(lines, 50u * static_cast<size_t>(seconds + 1));
}

// Long deadlines are watched by a coarser clock.
TEST(Faults, ALateCallIsNoticedByTheTickToo) {
  ProfilePlan plan{.plugins = {"A"}};
  plan.faults.call_deadline_ns = base::kSecond / 4;
  Rig rig({plan});
  int calls = 0;
  ScriptOf("A").pre_filter = [&](auto&&...) {
    if (++calls == 1) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.entries.front().message, HasSubstr("later than its deadline of 0.25s"));
  rig.AddNodes({"n2"});
  rig.Run();
  EXPECT_EQ(rig.story.entries.back().result, "Scheduled");
}

// Node n1 is full; A nominates it in PostFilter when what it does before succeeds. The deadline of a call is 50 ms.
struct ANomination {
  explicit ANomination(std::function<Status(const Pod&)> before, plugin::ExtenderPort* extenders = nullptr)
      : rig({Plan()}) {
    rig.services.extenders = extenders;
    rig.services.on_fault = [this](const plugin::Instance& instance, const char* what) {
      faults.push_back(instance.name() + "/" + what);
    };
    ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
      verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
      return Status::Ok();
    };
    ScriptOf("A").post_filter = [before = std::move(before)](Cycle& c, const Pod& pod, const sdk::Diagnosis&,
                                                             sdk::Nomination& out) {
      Status status = before(pod);
      if (status.ok()) out.Set(c.snap().View(0).name());
      return status;
    };
    rig.AddNodes({"n1"});
    rig.AddPod("p1");
    rig.Run();
    const base::Id node = rig.cluster.FindPod("default/p1")->abi.nominated_node;
    nominated = node == base::kNoId ? "" : rig.words.ids.Text(node);
  }
  static ProfilePlan Plan() {
    ProfilePlan plan{.plugins = {"A"}};
    plan.faults.call_deadline_ns = base::kSecond / 20;
    return plan;
  }
  Rig rig;
  std::vector<std::string> faults;
  std::string nominated;
};

constexpr auto kLate = std::chrono::milliseconds(120);

// By then the victims are on their way out: without the nomination others would follow them.
TEST(Faults, ALateNominationStandsAndIsAFault) {
  const ANomination made([](const Pod&) {
    std::this_thread::sleep_for(kLate);
    return Status::Ok();
  });
  EXPECT_EQ(made.nominated, "n1");
  EXPECT_THAT(made.faults, testing::ElementsAre("A/PostFilter"));
}

class SlowExtenders final : public plugin::ExtenderPort {
 public:
  explicit SlowExtenders(bool fail) : fail_(fail) {}
  bool Preempts(const berth_pod&) const override { return true; }
  base::Result<berth_list> Preempt(const berth_pod&, berth_list candidates) override {
    std::this_thread::sleep_for(kLate);
    if (fail_) return base::Fail("no answer");
    return candidates;
  }

 private:
  const bool fail_;
};

Status AskExtenders(const Pod& pod) { return sdk::Extenders(HostOf("A")).Ask(pod, {}).status; }

TEST(Faults, TheTimeOfAnExtenderIsNotThePlugins) {
  SlowExtenders extenders(false);
  const ANomination made(AskExtenders, &extenders);
  EXPECT_EQ(made.nominated, "n1");
  EXPECT_THAT(made.faults, testing::IsEmpty());
}

TEST(Faults, TheFailureOfAnExtenderIsNotThePlugins) {
  SlowExtenders extenders(true);
  const ANomination made(AskExtenders, &extenders);
  EXPECT_EQ(made.nominated, "");
  EXPECT_THAT(made.rig.story.entries.front().message, HasSubstr("no answer"));
  EXPECT_THAT(made.faults, testing::IsEmpty());
}

// C is too slow in a trial of A's: that is C's fault, and neither its time nor its failure is A's.
TEST(Faults, AnotherPluginAnswersForItsTrial) {
  std::atomic<bool> slow{false};
  ProfilePlan plan{.plugins = {"A", "C"}};
  plan.faults.call_deadline_ns = base::kSecond / 20;
  Rig rig({plan});
  std::vector<std::string> faults;
  rig.services.on_fault = [&](const plugin::Instance& instance, const char* what) {
    faults.push_back(instance.name() + "/" + what);
  };
  ScriptOf("C").filter = [&](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    if (slow) std::this_thread::sleep_for(kLate);
    verdict = sdk::Verdict::Unschedulable(c.Reasons("full"));
    return Status::Ok();
  };
  ScriptOf("A").post_filter = [&](Cycle& c, const Pod&, const sdk::Diagnosis&, sdk::Nomination&) {
    slow = true;
    const sdk::Trials trials(HostOf("A"));
    sdk::Trial trial = trials.Open(c, 0);
    EXPECT_THROW(trial.Filter(), sdk::TrialError);
    slow = false;
    return Status::Error("the trial failed");
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(faults, testing::ElementsAre("C/Filter"));
}

// A first list of the cluster is one batch for the engine, and several for a plugin.
TEST(Faults, OneCallIsNotAboutTheWholeCluster) {
  ProfilePlan plan;
  plan.holder = "H";
  Rig rig({plan});
  plugin::Instance* holder = rig.simulation->engine().profiles().profiles.front()->Find(rig.words.ids.Find("H"));
  ASSERT_NE(holder, nullptr);
  int calls = 0;
  ScriptOfHolder().on_deltas = [&] { ++calls; };
  const api::NodeRef node = MakeNode(rig.words, "n1");
  std::vector<cache::Delta> deltas;
  for (uint32_t i = 0; i < 2500; ++i) deltas.push_back({BERTH_DELTA_NODE_ADD, i, node, {}});
  for (uint32_t i = 0; i < 2500; ++i) deltas.push_back({BERTH_DELTA_NODE_REMOVE, i, node, {}});
  engine::TellDeltas(*holder, deltas);
  ScriptOfHolder().on_deltas = nullptr;
  EXPECT_EQ(calls, 5);
  rig.Run();  // its counts are compared with those of a fresh instance
}

TEST(Faults, QuarantineStopsCallingThePlugin) {
  ProfilePlan plan{.plugins = {"A", "B"}};
  plan.faults.quarantine_after = 2;
  Rig rig({plan});
  int calls = 0;
  ScriptOf("B").pre_filter = [&](Cycle&, const Pod&, sdk::NameSet&) -> Status {
    ++calls;
    throw std::runtime_error("again");
  };
  rig.AddNodes({"n1"});
  for (int i = 0; i < 5; ++i) {
    rig.AddPod("p" + std::to_string(i));
    rig.Run();
  }
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(rig.story.entries.back().message, HasSubstr("\"B\""));
}

}  // namespace
}  // namespace berth::fixture
