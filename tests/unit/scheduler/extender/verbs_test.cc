// The prioritize, bind, and preempt verbs. Source: pkg/scheduler/extender.go; the victims are those of
// TestConvertToMetaVictims and TestConvertToVictims.
#include <gmock/gmock.h>

#include "fake_server.h"

namespace berth::extender {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const framework::ExtenderBinding kBinding{.pod_name = "p", .pod_namespace = "ns", .pod_uid = "u", .node = "node1"};

framework::NodeNameToVictims TwoNodesOfVictims() {
  return {{"node2", {{{"uid2", R"({"metadata":{"uid":"uid2"},"spec":{}})"}, {"uid4", ""}}, 2}},
          {"node1", {{{"uid1", ""}, {"uid3", ""}}, 1}}};
}

TEST(Prioritize, ReturnsScoresAndWeight) {
  const FakeServer server(R"([{"Host":"node1","Score":10},{"host":"node2","SCORE":-4},null])");
  const auto out = MakeOne(server.url())->Prioritize(kPod, kTwoNodes);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->weight, 3);
  ASSERT_EQ(out->scores.size(), 3u);
  EXPECT_EQ(out->scores[0].host, "node1");
  EXPECT_EQ(out->scores[0].score, 10);
  EXPECT_EQ(out->scores[1].host, "node2");
  EXPECT_EQ(out->scores[1].score, -4);
  EXPECT_EQ(out->scores[2].host, "");
  EXPECT_EQ(server.only().line(), "POST /prioritize HTTP/1.1");
  EXPECT_EQ(server.only().body, R"({"Pod":{"metadata":{"name":"p","namespace":"ns","uid":"u"}},"Nodes":null,)"
                                R"("NodeNames":["node1","node2"]})");
}

TEST(Prioritize, WithoutAVerbNoRequestIsSentAndTheWeightIsZero) {
  const FakeServer server("[]", 500);
  const auto out = MakeOne(server.url(), [](auto& c) { c.prioritize_verb = ""; })->Prioritize(kPod, kTwoNodes);
  ASSERT_TRUE(out) << out.error().message;
  EXPECT_EQ(out->weight, 0);
  ASSERT_EQ(out->scores.size(), 2u);
  EXPECT_EQ(out->scores[1].host, "node2");
  EXPECT_EQ(out->scores[1].score, 0);
  EXPECT_THAT(server.seen(), IsEmpty());
}

TEST(Bind, SendsPodAndNode) {
  const FakeServer server(R"({"Error":""})");
  const auto bound = MakeOne(server.url())->Bind(kBinding);
  EXPECT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(server.only().line(), "POST /bind HTTP/1.1");
  EXPECT_EQ(server.only().body, R"({"PodName":"p","PodNamespace":"ns","PodUID":"u","Node":"node1"})");
}

TEST(Bind, Errors) {
  const FakeServer server(R"({"error":"node is full"})");
  const auto refused = MakeOne(server.url())->Bind(kBinding);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "node is full");
  const auto unasked = MakeOne(server.url(), [](auto& c) { c.bind_verb = ""; })->Bind(kBinding);
  ASSERT_FALSE(unasked);
  EXPECT_EQ(unasked.error().message, "unexpected empty bindVerb in extender");
}

TEST(Preempt, SendsUidsIfNodeCacheCapable) {
  const FakeServer server(R"({"NodeNameToMetaVictims":{"node1":{"Pods":[{"UID":"uid1"},{"UID":"uid3"}],)"
                          R"("NumPDBViolations":1},"node2":{"pods":[{"uid":"uid2"}]},"node3":null}})");
  const auto left = MakeOne(server.url())->ProcessPreemption(kPod, TwoNodesOfVictims());
  ASSERT_TRUE(left) << left.error().message;
  ASSERT_EQ(left->size(), 3u);
  EXPECT_THAT(left->at("node1").uids, ElementsAre("uid1", "uid3"));
  EXPECT_EQ(left->at("node1").pdb_violations, 1);
  EXPECT_THAT(left->at("node2").uids, ElementsAre("uid2"));
  EXPECT_EQ(left->at("node2").pdb_violations, 0);
  EXPECT_THAT(left->at("node3").uids, IsEmpty());
  EXPECT_EQ(server.only().line(), "POST /preempt HTTP/1.1");
  EXPECT_EQ(server.only().body, R"({"Pod":{"metadata":{"name":"p","namespace":"ns","uid":"u"}},)"
                                R"("NodeNameToVictims":null,"NodeNameToMetaVictims":{)"
                                R"("node1":{"Pods":[{"UID":"uid1"},{"UID":"uid3"}],"NumPDBViolations":1},)"
                                R"("node2":{"Pods":[{"UID":"uid2"},{"UID":"uid4"}],"NumPDBViolations":2}}})");
}

TEST(Preempt, SendsWholePodsByDefault) {
  const FakeServer server(R"({"NodeNameToMetaVictims":{}})");
  const auto left = MakeOne(server.url(), WithManifests)->ProcessPreemption(kPod, TwoNodesOfVictims());
  ASSERT_TRUE(left) << left.error().message;
  EXPECT_THAT(*left, IsEmpty());
  EXPECT_EQ(server.only().body, R"({"Pod":{"metadata":{"name":"p","namespace":"ns","uid":"u"}},)"
                                R"("NodeNameToVictims":{"node1":{"Pods":[{"metadata":{"uid":"uid1"}},)"
                                R"({"metadata":{"uid":"uid3"}}],"NumPDBViolations":1},"node2":{"Pods":[)"
                                R"({"metadata":{"uid":"uid2"},"spec":{}},{"metadata":{"uid":"uid4"}}],)"
                                R"("NumPDBViolations":2}},"NodeNameToMetaVictims":null})");
}

TEST(Preempt, WithoutAVerbIsAnError) {
  const auto left = MakeOne("http://127.0.0.1:9", [](auto& c) { c.preempt_verb = ""; })->ProcessPreemption(kPod, {});
  ASSERT_FALSE(left);
  EXPECT_EQ(left.error().message,
            "preempt verb is not defined for extender http://127.0.0.1:9 but run into ProcessPreemption");
}

}  // namespace
}  // namespace berth::extender
