// What the plugin reads of a NodeResourceTopology, and how it enters the board.
#include "topology.h"

#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::node_topology {
namespace {

constexpr auto kTestNic = "example.com/nic";

// "row policy scope zones, resource amounts..." of all rows.
std::string Shown(const std::vector<TestNode>& nodes) {
  Fixture fixture(nodes);
  return fixture.plugin.Dump();
}

TEST(TopologyRead, AmountsAreRoundedDown) {
  EXPECT_EQ(Shown({{"node1",
                    kPodSingle,
                    {{"node-0", {{kCpu, "1500m"}, {kMemory, "2Gi"}, {kTestNic, "3"}}},
                     {"node-1", {{kCpu, "2"}, {kMemory, "1500m"}, {kTestNic, "none"}}}}}}),
            "0 3 1 8, cpu 1500 2000, example.com/nic 3 0, memory 2147483648 1\n");
}

TEST(TopologyRead, OnlyNumaNodesCount) {
  EXPECT_EQ(Shown({{"node1",
                    kPodSingle,
                    {{"node-0", {{kCpu, "1"}}, {}, "Core"},
                     {"numa-node-1", {{kCpu, "2"}}},
                     {"node-", {{kCpu, "3"}}},
                     {"node-4x", {{kCpu, "4"}}},
                     {"node-64", {{kCpu, "5"}}},
                     {"node-63", {{kCpu, "6"}}}}}}),
            "0 3 1 8, cpu 6000\n");
}

TEST(TopologyRead, ZonesAreSortedAndTheFirstOfANameCounts) {
  EXPECT_EQ(
      Shown({{"node1", kPodSingle, {{"node-2", {{kCpu, "2"}}}, {"node-1", {{kCpu, "1"}}}, {"node-2", {{kCpu, "3"}}}}}}),
      "0 3 1 8, cpu 1000 2000\n");
}

TEST(TopologyRead, OfAResourceTheLastCounts) {
  EXPECT_EQ(Shown({{"node1", kPodSingle, {{"node-0", {{kCpu, "1"}, {kCpu, "2"}}}}}}), "0 3 1 8, cpu 2000\n");
}

TEST(TopologyRead, NumbersAreAmountsToo) {
  Fixture fixture(std::vector<TestNode>{{.name = "node1", .reported = false}});
  fixture.plugin.Put(kTopologies, FakeObject::Json(R"({"metadata":{"name":"node1"},"zones":[{"name":"node-0",)"
                                                   R"("type":"Node","resources":[{"name":"cpu","available":2},)"
                                                   R"({"name":"memory","available":5}]}]})"));
  EXPECT_EQ(fixture.plugin.Dump(), "0 0 0 8, cpu 2000, memory 5\n");
}

TEST(TopologyBoard, FollowsReports) {
  TestNode node{"node1", kPodSingle, {{"node-0", {{kCpu, "2"}, {kMemory, "8Gi"}}}}};
  Fixture fixture({node, {"node2", kPodSingle, {{"node-0", {{kCpu, "2"}, {kMemory, "8Gi"}}}}}});
  const FakePod pod = Limited({{{kCpu, 3000}, {kMemory, kGi}}});
  EXPECT_EQ(fixture.Filter(pod, "node1"), Refused(kNoPod));
  node.zones.push_back({"node-1", {{kCpu, "3"}, {kMemory, "8Gi"}}});
  fixture.Report(node);
  EXPECT_EQ(fixture.Filter(pod, "node1"), Outcome{});
  EXPECT_EQ(fixture.Filter(pod, "node2"), Refused(kNoPod));
  fixture.plugin.Delete(kTopologies, "node2");
  EXPECT_EQ(fixture.Filter(pod, "node2"), Outcome{});
  EXPECT_EQ(fixture.plugin.Dump(), "0 3 1 8, cpu 2000 3000, memory 8589934592 8589934592\n");
}

TEST(TopologyBoard, FollowsNodes) {
  const TestNode first{"node1", kPodSingle, {{"node-0", {{kCpu, "2"}, {kMemory, "8Gi"}}}}};
  const TestNode second{"node2", kPodSingle, {{"node-0", {{kCpu, "4"}, {kMemory, "8Gi"}}}}};
  Fixture fixture({first});
  fixture.Report(second);  // before its node
  EXPECT_EQ(fixture.plugin.Dump(), "0 3 1 8, cpu 2000, memory 8589934592\n");
  fixture.plugin.NodeAdded(NodeOf(second), 5);
  EXPECT_EQ(fixture.plugin.Dump(), "0 3 1 8, cpu 2000, memory 8589934592\n5 3 1 8, cpu 4000, memory 8589934592\n");
  fixture.plugin.NodeRemoved(NodeOf(first), 0);
  fixture.plugin.NodeChanged(NodeOf(second), 5);
  EXPECT_EQ(fixture.plugin.Dump(), "5 3 1 8, cpu 4000, memory 8589934592\n");
  fixture.plugin.NodeAdded(NodeOf(first), 1);
  EXPECT_EQ(fixture.plugin.Dump(), "1 3 1 8, cpu 2000, memory 8589934592\n5 3 1 8, cpu 4000, memory 8589934592\n");
}

}  // namespace
}  // namespace plugins::node_topology
