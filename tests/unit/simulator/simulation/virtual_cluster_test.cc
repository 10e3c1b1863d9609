// The simulated API server's state without a scheduler.
#include "simulator/simulation/virtual_cluster.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace berth::simulation {
namespace {

api::NodeRef Node(api::InternTables& intern, const std::string& name) {
  auto node = api::DecodeNode(intern, R"({"metadata":{"name":")" + name + R"("}})");
  EXPECT_TRUE(node) << node.error().message;
  return *node;
}

// A plugin sends requests from a thread of its own, and the volume controller looks at nodes to answer them.
TEST(VirtualCluster, FindsNodesWhileAnotherThreadSetsThem) {
  api::InternTables intern;
  Cluster cluster(intern);
  cluster.SetNode(Node(intern, "first"));
  std::atomic<int> found{0};
  std::jthread seeker([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) found += cluster.FindNode("first") && cluster.version() >= 1 ? 1 : 0;
  });
  for (int i = 0; i < 500 || found == 0; ++i) cluster.SetNode(Node(intern, "n" + std::to_string(i % 50)));
  seeker.request_stop();
  seeker.join();
  EXPECT_GE(cluster.version(), 501u);
  EXPECT_EQ(cluster.FindNode("n49")->name, "n49");
  EXPECT_FALSE(cluster.FindNode("unknown"));
}

}  // namespace
}  // namespace berth::simulation
