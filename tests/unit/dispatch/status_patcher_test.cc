#include "dispatch/status_patcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_transport.h"

namespace berth::dispatch {
namespace {

using testing::ElementsAre;

constexpr int64_t kNow = 1'767'225'600 * base::kSecond;  // 2026-01-01

struct AStatusPatcher : testing::Test {
  api::Vocabulary words;
  http::FakeTransport server;
  base::RealClock clock;
  base::VirtualClock wall{kNow};
  kube::RequestQueue queue{server, clock, {-1, 1, 8}};
  StatusPatcher patcher{queue, wall};

  api::PodRef Pod(const std::string& status = "{}") {
    auto pod = api::DecodePod(
        words, R"({"metadata":{"name":"p","namespace":"ns","uid":"u1","generation":3},"status":)" + status + "}");
    EXPECT_TRUE(pod) << pod.error().message;
    return *pod;
  }
  std::vector<std::string> Bodies() {
    EXPECT_TRUE(queue.Flush(10 * base::kSecond));
    std::vector<std::string> bodies;
    for (const http::Request& request : server.requests()) bodies.push_back(request.body);
    return bodies;
  }
};

TEST_F(AStatusPatcher, WritesAConditionForThisVeryPod) {
  patcher.Patch(Pod(), {api::PodScheduledCondition{"False", "Unschedulable", "0/1 nodes", 3}, std::nullopt});
  EXPECT_THAT(Bodies(),
              ElementsAre(R"({"metadata":{"uid":"u1"},"status":{"conditions":[{"type":"PodScheduled","status":"False",)"
                          R"("lastProbeTime":null,"lastTransitionTime":"2026-01-01T00:00:00Z",)"
                          R"("reason":"Unschedulable","message":"0/1 nodes","observedGeneration":3}]}})"));
  EXPECT_THAT(server.Lines(), ElementsAre("PATCH /api/v1/namespaces/ns/pods/p/status"));
  EXPECT_EQ(server.requests()[0].content_type, "application/strategic-merge-patch+json");
}

TEST_F(AStatusPatcher, LeavesTheTimeOfAConditionThatStaysFalse) {
  const api::PodRef pod = Pod(R"({"conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable"}]})");
  patcher.Patch(pod, {api::PodScheduledCondition{"False", "Unschedulable", "again", 0}, std::nullopt});
  EXPECT_THAT(Bodies(),
              ElementsAre(R"({"metadata":{"uid":"u1"},"status":{"conditions":[{"type":"PodScheduled","status":"False",)"
                          R"("lastProbeTime":null,"reason":"Unschedulable","message":"again"}]}})"));
}

TEST_F(AStatusPatcher, SetsAndClearsTheNominatedNode) {
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  patcher.Patch(Pod(), {std::nullopt, ""});
  EXPECT_THAT(Bodies(), ElementsAre(R"({"metadata":{"uid":"u1"},"status":{"nominatedNodeName":"n1"}})",
                                    R"({"metadata":{"uid":"u1"},"status":{"nominatedNodeName":null}})"));
}

TEST_F(AStatusPatcher, SendsTheLastWordLastAndOnlyIt) {
  server.hold = true;
  for (const char* node : {"n1", "n2", "n3"}) patcher.Patch(Pod(), {std::nullopt, node});
  patcher.Patch(Pod(), {api::PodScheduledCondition{"False", "SchedulerError", "x", 0}, std::nullopt});
  ASSERT_EQ(server.requests().size(), 1u);
  EXPECT_TRUE(server.Release());
  EXPECT_TRUE(http::Eventually([&] { return server.requests().size() == 2; }));
  EXPECT_TRUE(server.Release());
  const auto bodies = Bodies();
  ASSERT_EQ(bodies.size(), 2u);
  EXPECT_THAT(bodies[1], testing::HasSubstr(R"("nominatedNodeName":"n3")"));
  EXPECT_THAT(bodies[1], testing::HasSubstr("SchedulerError"));
}

TEST_F(AStatusPatcher, TriesAgainWhatTheServerCouldNotDo) {
  int asked = 0;
  server.answer = [&](const http::Request&) { return http::ReplyOf(++asked == 1 ? 500 : 200); };
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  EXPECT_TRUE(http::Eventually([&] { return server.requests().size() == 2; }));
  const auto bodies = Bodies();
  EXPECT_EQ(bodies[0], bodies[1]);
}

TEST_F(AStatusPatcher, LetsABindingGoAfterThePatchThatIsUnderWay) {
  server.hold = true;
  std::vector<std::string> story;
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  patcher.Patch(Pod(), {std::nullopt, "n2"});
  patcher.BeforeBinding("u1", [&] { story.emplace_back("bind"); });
  patcher.BeforeBinding("another", [&] { story.emplace_back("bind another"); });
  EXPECT_THAT(story, ElementsAre("bind another"));
  EXPECT_TRUE(server.Release());
  EXPECT_EQ(Bodies().size(), 1u) << "what was to follow is needless";
  EXPECT_THAT(story, ElementsAre("bind another", "bind"));
}

TEST_F(AStatusPatcher, DropsWhatIsNotSentYetWhenThePodIsBound) {
  server.hold = true;
  kube::RequestQueue one_at_a_time(server, clock, {-1, 1, 1});
  StatusPatcher patcher(one_at_a_time, wall);
  one_at_a_time.Post(http::Request{}, [](const http::Reply&) {});
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  bool bound = false;
  patcher.BeforeBinding("u1", [&] { bound = true; });
  EXPECT_TRUE(bound);
  EXPECT_TRUE(server.Release());
  EXPECT_TRUE(one_at_a_time.Flush(10 * base::kSecond));
  EXPECT_EQ(server.requests().size(), 1u);
  server.hold = false;
  patcher.Patch(Pod(), {std::nullopt, ""});  // the binding failed
  EXPECT_TRUE(one_at_a_time.Flush(10 * base::kSecond));
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST_F(AStatusPatcher, GoesOnAfterAFailure) {
  server.answer = [](const http::Request&) { return http::ReplyOf(403, "no"); };
  patcher.Patch(Pod(), {std::nullopt, "n1"});
  EXPECT_EQ(Bodies().size(), 1u);
  patcher.Patch(Pod(), {std::nullopt, "n2"});
  EXPECT_EQ(Bodies().size(), 2u);
}

}  // namespace
}  // namespace berth::dispatch
