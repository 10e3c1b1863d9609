// A fault fails the attempt in which it happens and names the plugin; other profiles continue.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "berth/extenders.hpp"
#include "berth/trial.hpp"
#include "scheduler/engine/initial_sync.h"
#include "scheduler/framework/host_services.h"
#include "telemetry/log/capture.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::HasSubstr;

struct Fault {
  const char* name;
  std::function<void(Script&)> install;
  std::string text;  // in the attempt's message
};

class Faults : public testing::TestWithParam<Fault> {};

// B has a fault in profile "broken"; profile "default-scheduler" has only A.
TEST_P(Faults, FailOnlyTheAttempt) {
  ProfilePlan broken{.scheduler_name = "broken", .plugins = {"B", "A"}};
  broken.faults.call_deadline_ns = base::kSecond / 20;
  TestScheduler rig({{}, broken});
  GetParam().install(ScriptOf("B"));
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("bad", R"("schedulerName":"broken")");
  rig.AddPod("good");
  rig.Run();
  std::map<std::string, results::AttemptEntry> last;
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

// The test includes points where a fault does not fail the attempt.
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
    FaultLog counted;
    TestScheduler rig({{.plugins = {"B", "A"}}}, TestScheduler::ObservedBy(counted));
    one.install(ScriptOf("B"));
    rig.AddNodes({"n1", "n2"});
    const log::Capture log;
    rig.AddPod("bad");
    rig.Run();
    ASSERT_FALSE(counted.faults.empty()) << one.point;
    EXPECT_THAT(counted.faults, testing::Each(std::string("B/") + one.point));
    EXPECT_THAT(log.Messages(),
                testing::Contains(testing::ContainsRegex(std::string("^\"Plugin fault\" plugin=\"B\" .*point=\"") +
                                                         one.point + "\" pod=\"default/bad\" .*the sky fell")))
        << one.point;
  }
}

TEST(Faults, AScoreOutOfRangeCounts) {
  FaultLog counted;
  TestScheduler rig({{.plugins = {"B", "A"}}}, TestScheduler::ObservedBy(counted));
  ScriptOf("B").score = [](auto&&...) -> int64_t { return 101; };
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("bad");
  rig.Run();
  ASSERT_FALSE(counted.faults.empty());
  EXPECT_THAT(counted.faults, testing::Each(std::string("B/Score")));
}

// A plugin may cause a fault at each row of each pod, so the log limits how often it reports them.
TEST(Faults, AreLoggedAtALimitedRate) {
  TestScheduler rig({{.plugins = {"B", "A"}}});
  plugin::Instance* b = rig.simulation->engine().profiles().profiles.front()->Find(rig.intern.ids.Find("B"));
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

// The host watches long deadlines with a coarser clock.
TEST(Faults, ALateCallIsFoundWithTheCoarseClock) {
  ProfilePlan plan{.plugins = {"A"}};
  plan.faults.call_deadline_ns = base::kSecond / 4;
  TestScheduler rig({plan});
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

// Node n1 is full. A first runs the function of the test in PostFilter and then nominates n1. The deadline of a call is
// 50 ms.
struct ANomination {
  explicit ANomination(std::function<Status(const Pod&)> before) : rig({Plan()}, TestScheduler::ObservedBy(log)) {
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
    nominated = node == base::kNoId ? "" : rig.intern.ids.Text(node);
  }
  static ProfilePlan Plan() {
    ProfilePlan plan{.plugins = {"A"}};
    plan.faults.call_deadline_ns = base::kSecond / 20;
    return plan;
  }
  FaultLog log;
  TestScheduler rig;
  std::string nominated;
};

constexpr auto kLate = std::chrono::milliseconds(120);

// The victims are already being deleted: without the nomination, the next attempt would delete more.
TEST(Faults, ALateNominationCountsAndIsAFault) {
  const ANomination made([](const Pod&) {
    std::this_thread::sleep_for(kLate);
    return Status::Ok();
  });
  EXPECT_EQ(made.nominated, "n1");
  EXPECT_THAT(made.log.faults, testing::ElementsAre("A/PostFilter"));
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

// Instance A, whose PostFilter asks the extenders. The deadline of a call is 50 ms.
struct AnAskingInstance {
  explicit AnAskingInstance(plugin::ExtenderPort& extenders)
      : services(intern, {.extenders = &extenders, .faults = &log}) {
    ClearScripts();
    framework::AddHostServices(services);
    ScriptOf("A").post_filter = [](Cycle&, const Pod& pod, const sdk::Diagnosis&, sdk::Nomination&) {
      return sdk::Extenders(HostOf("A")).Ask(pod, {}).status;
    };
    auto made = plugin::Instance::Create({.library = ScriptedLibrary(),
                                          .library_plugin = "A",
                                          .name = "A",
                                          .profile = "default-scheduler",
                                          .faults = ANomination::Plan().faults},
                                         services);
    if (!made || !(*made)->Activate()) std::abort();
    instance = std::move(*made);
  }
  plugin::Status PostFilter() {
    const api::PodRef pod = MakePod(intern, "p1");
    berth_cycle cycle;
    plugin::BeginCycle(cycle, 1, cache.snap(), 1);
    const berth_diagnosis diagnosis{sizeof diagnosis, 0, nullptr, {}};
    berth_post_result out{sizeof out, BERTH_NOMINATE_NOOP, base::kNoId, 0};
    return instance->CallForGood("PostFilter", [&] {
      return instance->tables().post_filter->post_filter(instance->raw(), &cycle, &pod->abi, &diagnosis, &out);
    });
  }
  api::InternTables intern;
  cache::Cache cache{intern};
  FaultLog log;
  plugin::Services services;
  std::shared_ptr<plugin::Instance> instance;
};

TEST(Faults, TheTimeOfAnExtenderDoesNotCountForThePlugin) {
  SlowExtenders extenders(false);
  AnAskingInstance asking(extenders);
  EXPECT_TRUE(asking.PostFilter().ok());
  EXPECT_THAT(asking.log.faults, testing::IsEmpty());
}

TEST(Faults, TheFailureOfAnExtenderIsNoFaultOfThePlugin) {
  SlowExtenders extenders(true);
  AnAskingInstance asking(extenders);
  const plugin::Status status = asking.PostFilter();
  EXPECT_EQ(status.code, plugin::Code::kError);
  EXPECT_THAT(status.Message(), HasSubstr("no answer"));
  EXPECT_THAT(asking.log.faults, testing::IsEmpty());
}

// C is too slow in a trial of A: the fault is C's, and its time does not count for A.
TEST(Faults, InATrialBelongToThePluginThatWasCalled) {
  std::atomic<bool> slow{false};
  ProfilePlan plan{.plugins = {"A", "C"}};
  plan.faults.call_deadline_ns = base::kSecond / 20;
  FaultLog log;
  TestScheduler rig({plan}, TestScheduler::ObservedBy(log));
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
  EXPECT_THAT(log.faults, testing::ElementsAre("C/Filter"));
}

// The first list of the cluster is one batch for the engine, and several calls for a plugin.
TEST(Faults, ALargeBatchIsSplitIntoCalls) {
  ProfilePlan plan;
  plan.holder = "H";
  TestScheduler rig({plan});
  plugin::Instance* holder = rig.simulation->engine().profiles().profiles.front()->Find(rig.intern.ids.Find("H"));
  ASSERT_NE(holder, nullptr);
  int calls = 0;
  ScriptOfHolder().on_deltas = [&] { ++calls; };
  const api::NodeRef node = MakeNode(rig.intern, "n1");
  std::vector<cache::Delta> deltas;
  for (uint32_t i = 0; i < 2500; ++i) deltas.push_back({BERTH_DELTA_NODE_ADD, i, node, {}});
  for (uint32_t i = 0; i < 2500; ++i) deltas.push_back({BERTH_DELTA_NODE_REMOVE, i, node, {}});
  engine::SendDeltas(*holder, deltas);
  ScriptOfHolder().on_deltas = nullptr;
  EXPECT_EQ(calls, 5);
  rig.Run();  // compares its counts with those of a second instance
}

TEST(Faults, QuarantineStopsCallingThePlugin) {
  ProfilePlan plan{.plugins = {"A", "B"}};
  plan.faults.quarantine_after = 2;
  TestScheduler rig({plan});
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
