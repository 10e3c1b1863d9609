// What the engine records of an attempt besides its nodes, and its JSON.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "codec/json/value.h"
#include "scheduler/explain/decision_json.h"
#include "scheduler/framework/profile_times.h"
#include "world.h"

namespace berth::explain {
namespace {

using framework::TimedPoint;

float MicrosOf(const decisions::Decision& decision, TimedPoint point) {
  return decision.points[static_cast<size_t>(point)];
}

TEST(Recorded, TheTimesOfTheExtensionPointsThatRan) {
  World world;
  world.AddNode("a", "8");
  world.AddNode("b", "8");
  world.AddPod("web", "1");
  world.Run();
  const decisions::Decision& decision = world.Newest();
  for (const TimedPoint point :
       {TimedPoint::kPreFilter, TimedPoint::kFilter, TimedPoint::kScore, TimedPoint::kReserve, TimedPoint::kBind}) {
    EXPECT_GT(MicrosOf(decision, point), 0) << framework::LabelOf(point);
  }
  EXPECT_EQ(MicrosOf(decision, TimedPoint::kPostFilter), 0);
  EXPECT_EQ(MicrosOf(decision, TimedPoint::kPreEnqueue), 0) << "it runs before the attempt";
}

TEST(Recorded, ThePreviousAttemptLeavesNoTimes) {
  World world;
  world.AddNode("a", "2");
  world.AddPod("fits", "1");
  world.AddPod("too-large", "4");
  world.Run();
  const decisions::Decision& decision = world.Newest();
  ASSERT_EQ(decision.result, decisions::Result::kUnschedulable);
  EXPECT_GT(MicrosOf(decision, TimedPoint::kFilter), 0);
  EXPECT_GT(MicrosOf(decision, TimedPoint::kPostFilter), 0);
  EXPECT_EQ(MicrosOf(decision, TimedPoint::kScore), 0);
  EXPECT_EQ(MicrosOf(decision, TimedPoint::kBind), 0);
}

TEST(Recorded, ThePluginsWithTheirVersions) {
  World world;
  world.AddNode("a", "8");
  world.AddPod("web", "1");
  world.Run();
  const auto& plugins = *world.Newest().plugins;
  const auto fit =
      std::find_if(plugins.begin(), plugins.end(), [](const auto& p) { return p.name == "NodeResourcesFit"; });
  ASSERT_NE(fit, plugins.end());
  EXPECT_EQ(fit->version, "1.0.0");
}

TEST(Recorded, TheEventThatStartedTheAttempt) {
  World world;
  world.AddNode("a", "8");
  world.AddPod("web", "1");
  world.Run();
  const decisions::Decision& decision = world.Newest();
  EXPECT_EQ(decision.woken_by, "UnschedulablePodAdd");
  EXPECT_EQ(decision.woken_for, "");
  EXPECT_LE(decision.woken_unix_ns, decision.started_unix_ns);
}

// node a: high stays, because the pod does not fit beside more than one of the two others.
TEST(Recorded, TheVictimsOfAPreemptionAndWhyEachMustLeave) {
  World world;
  world.AddNode("a", "4");
  world.AddPod("high", "1", "priority: 500, nodeName: a");
  world.AddPod("low-1", "1", "priority: 5, nodeName: a");
  world.AddPod("low-2", "2", "priority: 7, nodeName: a");
  world.AddPod("web", "2", "priority: 100");
  world.Run();
  std::vector<decisions::Victim> victims;
  world.engine().decisions().ring().ForEachOf({}, {.pod = "default/web"}, [&](const auto& one) {
    victims = one->victims;
    EXPECT_EQ(one->n_victims, one->nominated_node.empty() ? 0u : 1u);
    return victims.empty();
  });
  EXPECT_THAT(victims,
              testing::ElementsAre(decisions::Victim{"default/low-2", 7, "NodeResourcesFit", "Insufficient cpu"}));
}

TEST(DecisionJson, ContainsQueuePointsAndPlugins) {
  decisions::Decision decision;
  decision.woken_by = "NodeAdd";
  decision.woken_for = "NodeResourcesFit";
  decision.gate = "SchedulingGates";
  decision.gated = 2;
  decision.added_unix_ns = 0;
  decision.woken_unix_ns = 1'500'000'000;
  decision.points[static_cast<size_t>(TimedPoint::kFilter)] = 12.34F;
  decision.permit_wait_ns = 5'000'000;
  decision.n_victims = 20;
  decision.victims = {{"ns/victim", 7, "Fit", "Insufficient cpu"}};
  decision.plugins = std::make_shared<decisions::PluginVersions>(decisions::PluginVersions{{"Fit", "1.2.3"}});
  const std::string text = DecisionText(decision);
  EXPECT_THAT(text, testing::HasSubstr(R"("queued":{"event":"NodeAdd","plugin":"NodeResourcesFit","gated":2,)"
                                       R"("added":"1970-01-01T00:00:00.000000Z","woken":"1970-01-01T00:00:01.500000Z",)"
                                       R"("gate":"SchedulingGates"})"));
  EXPECT_THAT(text, testing::HasSubstr(R"("victimCount":20,"victims":[{"pod":"ns/victim","priority":7,)"
                                       R"("plugin":"Fit","reason":"Insufficient cpu"}])"));
  EXPECT_THAT(text, testing::HasSubstr(R"("pointMicroseconds":{"Filter":12.3,"WaitOnPermit":5000})"));
  EXPECT_THAT(text, testing::HasSubstr(R"("plugins":[{"name":"Fit","version":"1.2.3"}])"));
}

TEST(DecisionJson, LeavesOutTimesThatAreNotKnown) {
  const std::string text = json::Dump(DecisionJson({}));
  EXPECT_THAT(text, testing::HasSubstr(R"("queued":{"event":"","plugin":"","gated":0})"));
  EXPECT_THAT(text, testing::HasSubstr(R"("pointMicroseconds":{})"));
}

}  // namespace
}  // namespace berth::explain
