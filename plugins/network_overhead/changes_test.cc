// How the plugin follows changes of pods, nodes, and objects, and which events bring a pod back.
#include "test_fixture.h"

namespace network_overhead_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Net& Ready(Net& net) {
  net.EightNodes().Object(kAppGroups, BasicGroup()).Object(kTopologies, BasicTopology());
  return net.Start();
}

TEST(NetworkOverheadChanges, FollowsPods) {
  Net net;
  Ready(net);
  EXPECT_TRUE(net.Skips(Replica("p1")));
  const uint32_t row = net.plugin().cluster().RowOf("n-5");
  net.plugin().PodAdded(Replica("p2").Name("one"), row);
  net.plugin().PodAdded(Replica("p2").Name("two"), row);
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-1"], 40);
  net.plugin().PodRemoved(Replica("p2").Name("one"), row);
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-1"], 20);
  net.plugin().PodRemoved(Replica("p2").Name("two"), row);
  EXPECT_TRUE(net.Skips(Replica("p1")));
  EXPECT_THAT(net.plugin().Dump(), testing::Not(testing::HasSubstr("basic")));
}

TEST(NetworkOverheadChanges, FollowsNodes) {
  Net net;
  Ready(net);
  const uint32_t row = net.plugin().cluster().RowOf("n-5");
  net.plugin().PodAdded(Replica("p2"), row);
  net.plugin().NodeChanged(NodeIn("n-5", "us-west-1", "Z1"), row);
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-1"], 1);
  net.plugin().NodeRemoved(NodeIn("n-5", "us-west-1", "Z1"), row);
  EXPECT_TRUE(net.Skips(Replica("p1")));  // in the original the attempt ends with an error
  net.plugin().NodeAdded(NodeIn("n-5", "us-east-1", "Z9"), row);
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-1"], 20);
}

TEST(NetworkOverheadChanges, ForgetsPlacesWithoutNodes) {
  Net net;
  Ready(net);
  const uint32_t row = net.plugin().cluster().RowOf("n-5");
  for (int i = 0; i < 100; ++i) {
    net.plugin().NodeChanged(NodeIn("n-5", "region-" + std::to_string(i), "zone"), row);
  }
  EXPECT_THAT(net.plugin().Dump(), testing::HasSubstr("\"region-99\" \"zone\""));
  EXPECT_THAT(net.plugin().Dump(), testing::Not(testing::HasSubstr("region-98")));
  net.plugin().PodAdded(Replica("p2"), row);
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-5"], 0);
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-6"], 100);
}

TEST(NetworkOverheadChanges, FollowsObjects) {
  Net net;
  Ready(net).plugin().PodAdded(Replica("p2"), net.plugin().cluster().RowOf("n-5"));
  EXPECT_EQ(net.Filter(Replica("p1"), "n-7"), TooExpensive("n-7", 0, 1));
  net.Object(kAppGroups, GroupOf("basic", {{"p1", "p2", 10}}));
  EXPECT_TRUE(net.Filter(Replica("p1"), "n-7").ok());
  net.Object(kTopologies, TopologyOf("nt-test", WeightsOf("UserDefined", {}, {{"Z4", "Z3", 11}})));
  EXPECT_EQ(net.Filter(Replica("p1"), "n-7"), TooExpensive("n-7", 0, 1));
  net.plugin().Delete(kTopologies, "nt-test", "default");
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-7"], 100);
  net.plugin().Delete(kAppGroups, "basic", "default");
  EXPECT_TRUE(net.Skips(Replica("p1")));
}

TEST(NetworkOverheadChanges, LooksObjectsUpInTheNamespacesInTheirOrder) {
  Net net;
  net.plugin().Args(
      FakeValue::Object({{"namespaces", FakeValue::Array({"first", "second"})}, {"networkTopologyName", "nt-test"}}));
  net.EightNodes().Pod(Replica("p2"), "n-5");
  net.Object(kAppGroups, GroupOf("basic", {{"p1", "p2"}}, "second"));
  net.Object(kTopologies,
             TopologyOf("nt-test", WeightsOf("UserDefined", {{"us-west-1", "us-east-1", 2}}, {}), "second"));
  net.Object(kTopologies,
             TopologyOf("nt-test", WeightsOf("UserDefined", {{"us-west-1", "us-east-1", 1}}, {}), "first"));
  net.Object(kTopologies,
             TopologyOf("nt-other", WeightsOf("UserDefined", {{"us-west-1", "us-east-1", 9}}, {}), "first"));
  net.Object(kTopologies, TopologyOf("nt-test", WeightsOf("UserDefined", {{"us-west-1", "us-east-1", 9}}, {}))).Start();
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-1"], 1);
  net.plugin().Delete(kTopologies, "nt-test", "first");
  EXPECT_EQ(net.ScoresOf(Replica("p1"))["n-1"], 2);
  net.Object(kAppGroups, GroupOf("basic", {}, "first"));
  EXPECT_TRUE(net.Skips(Replica("p1")));
}

TEST(NetworkOverheadChanges, ReadsObjectsOfAnyShape) {
  for (const char* spec : {R"({})", R"({"weights": 1, "workloads": "a"})", R"({"weights": [7], "workloads": [null]})",
                           R"({"weights": [{"name": "UserDefined", "topologyList": [{"topologyKey": 3}, 5]}],
                               "workloads": [{"dependencies": [1, {}]}]})"}) {
    Net net;
    net.EightNodes().Pod(Replica("p2"), "n-5");
    net.Object(kAppGroups, FakeObject("basic", "default").Spec(spec));
    net.Object(kTopologies, FakeObject("nt-test", "default").Spec(spec)).Start();
    EXPECT_TRUE(net.Skips(Replica("p1"))) << spec;
  }
}

TEST(NetworkOverheadChanges, RegistersForWhatCanHelp) {
  Net net;
  Ready(net);
  const uint32_t changed = BERTH_ACTION_ADD | BERTH_ACTION_UPDATE | BERTH_ACTION_DELETE;
  EXPECT_THAT(
      net.plugin().Interests(),
      ElementsAre(InterestOutcome{"Pod", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_POD_LABEL | BERTH_ACTION_DELETE, true},
                  InterestOutcome{"Node", BERTH_ACTION_ADD | BERTH_ACTION_UPDATE_NODE_LABEL, false},
                  InterestOutcome{"appgroups.v1alpha1.appgroup.diktyo.x-k8s.io", changed, false},
                  InterestOutcome{"networktopologies.v1alpha1.networktopology.diktyo.x-k8s.io", changed, false}));
}

TEST(NetworkOverheadChanges, AreHintsForPodsOfTheGroup) {
  Net net;
  Ready(net);
  const auto helps = [&](std::optional<FakePod> before, std::optional<FakePod> now) -> bool {
    FakeEvent event{.resource = "Pod", .actions = BERTH_ACTION_UPDATE_POD_LABEL};
    event.old_pod = std::move(before);
    event.new_pod = std::move(now);
    return net.plugin().Hints(event, {Replica("p1").Name("waits")}).queue.at(0);
  };
  EXPECT_TRUE(helps(std::nullopt, Replica("p2").Node("n-1")));
  EXPECT_TRUE(helps(Replica("p2").Node("n-1"), std::nullopt));
  EXPECT_TRUE(helps(Replica("p2").Node("n-1"), Replica("p2", "other").Node("n-1")));
  EXPECT_FALSE(helps(std::nullopt, Replica("p2", "other").Node("n-1")));
  EXPECT_FALSE(helps(FakePod("else").Node("n-1"), std::nullopt));
  EXPECT_TRUE(helps(Replica("p1", "").Name("waits"), FakePod("waits")));
}

TEST(NetworkOverheadChanges, GiveEqualTextsForEqualClusters) {
  Net net;
  Ready(net);
  const std::string before = net.plugin().Dump();
  const uint32_t row = net.plugin().cluster().RowOf("n-3");
  net.plugin().PodAdded(Replica("p2").Name("one"), row);
  net.plugin().NodeChanged(NodeIn("n-3", "elsewhere", ""), row);
  EXPECT_THAT(net.plugin().Dump(), testing::HasSubstr("basic \"p2\" " + std::to_string(row) + " 1\n"));
  net.plugin().NodeChanged(NodeIn("n-3", "us-west-1", "Z2"), row);
  net.plugin().PodRemoved(Replica("p2").Name("one"), row);
  EXPECT_EQ(net.plugin().Dump(), before);
}

}  // namespace
}  // namespace network_overhead_test
