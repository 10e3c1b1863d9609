// A plugin that breaks fails the attempt it breaks in, by name; other profiles go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>

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
