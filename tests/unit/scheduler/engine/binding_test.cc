// The binding cycle: the order of the plugins, and what a failure leads to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Binding, PointsRunInOrder) {
  TestScheduler rig({{.plugins = {"A", "B"}}});
  std::vector<std::string> calls;
  for (const char* name : {"A", "B"}) {
    Script& script = ScriptOf(name);
    script.pre_flight = [&calls, name](Cycle&, const Pod&, Id) {
      calls.push_back(std::string("preFlight ") + name);
      return Status::Ok();
    };
    script.pre_bind = [&calls, name](Cycle&, const Pod&, Id, sdk::Op&) {
      calls.push_back(std::string("preBind ") + name);
      return Status::Ok();
    };
    script.post_bind = [&calls, name](Cycle&, const Pod&, Id) { calls.push_back(std::string("postBind ") + name); };
  }
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(calls, ElementsAre("preFlight A", "preFlight B", "preBind A", "preBind B", "postBind A", "postBind B"));
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n1"));
}

TEST(Binding, SkipCallsTheNextBindPluginAndSuccessEndsThePoint) {
  TestScheduler rig({{.plugins = {"A", "B", "C"}}});
  ScriptOf("A").bind = [](Cycle&, const Pod&, Id, sdk::Op&) { return Status::Skip(); };
  BindThroughHost(ScriptOf("B"));
  bool asked = false;
  ScriptOf("C").bind = [&](Cycle&, const Pod&, Id, sdk::Op&) {
    asked = true;
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(rig.story.Lines(), ElementsAre("p1 Scheduled n1"));
  EXPECT_FALSE(asked);
}

struct Failure {
  const char* point;
  std::string message;  // of the pod's condition
};

class BindingFailure : public testing::TestWithParam<Failure> {};

TEST_P(BindingFailure, UnreservesForgetsAndRetries) {
  const std::string point = GetParam().point;
  TestScheduler rig;
  bool broken = true;
  int unreserved = 0;
  auto fails = [&](const char* where) { return broken && point == where; };
  Script& a = ScriptOf("A");
  a.unreserve = [&](Cycle&, const Pod&, Id) { ++unreserved; };
  a.pre_flight = [&](Cycle&, const Pod&, Id) { return fails("preFlight") ? Status::Error("no flight") : Status::Ok(); };
  a.pre_bind = [&](Cycle&, const Pod&, Id, sdk::Op&) {
    return fails("preBind") ? Status::Error("no volume") : Status::Ok();
  };
  const auto bind = a.bind;
  a.bind = [&, bind](Cycle& c, const Pod& pod, Id node, sdk::Op& op) {
    if (fails("bind")) return Status::Error("no binding");
    if (fails("bindSkip")) return Status::Skip();
    return bind(c, pod, node, op);
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  ASSERT_GE(rig.story.entries.size(), 1u);
  EXPECT_EQ(rig.story.entries[0].result, "Error");
  EXPECT_EQ(rig.story.entries[0].message, GetParam().message);
  EXPECT_EQ(unreserved, static_cast<int>(rig.story.entries.size()));
  EXPECT_FALSE(rig.simulation->engine().cache().IsAssumed("pod-p1"));
  broken = false;
  rig.AddNodes({"n2"});  // an event, so that the simulation tries the pod again
  rig.Run();
  EXPECT_EQ(rig.story.entries.back().result, "Scheduled");
}

INSTANTIATE_TEST_SUITE_P(EveryPoint, BindingFailure,
                         testing::Values(Failure{"preFlight", "running PreBindPreFlight \"A\": no flight"},
                                         Failure{"preBind", "running PreBind plugin \"A\": no volume"},
                                         Failure{"bind", "running Bind plugin \"A\": no binding"},
                                         Failure{"bindSkip", "every Bind plugin answered Skip"}),
                         [](const testing::TestParamInfo<Failure>& info) { return std::string(info.param.point); });

TEST(Binding, RejectionByTheApiServerIsAnError) {
  TestScheduler rig;
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("p1");
  ScriptOf("A").pre_bind = [&](Cycle&, const Pod&, Id, sdk::Op&) {
    // Another client has bound the pod before.
    rig.cluster.SetPod(api::WithNodeName(rig.intern, *rig.cluster.FindPod("default/p1"), "n2"));
    return Status::Ok();
  };
  rig.Run();
  ASSERT_EQ(rig.story.entries.size(), 1u);
  EXPECT_EQ(rig.story.entries[0].result, "Error");
  EXPECT_THAT(rig.story.entries[0].message, HasSubstr("is already assigned to node \"n2\""));
  EXPECT_FALSE(rig.simulation->engine().cache().IsAssumed("pod-p1"));
}

}  // namespace
}  // namespace berth::fixture
