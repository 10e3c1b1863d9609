// A sample of a running engine, taken from another thread as the coordinator does.
#include "reload/canary/sample.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <set>

#include "test_scheduler.h"

namespace berth::canary {
namespace {

using fixture::Pod;
using fixture::Status;
using std::chrono::milliseconds;

// The scheduling thread goes on while the sample is taken.
Sample Taken(fixture::TestScheduler& rig, milliseconds times = std::chrono::seconds(20)) {
  engine::Engine& engine = rig.simulation->engine();
  auto taken = std::async(std::launch::async, [&] { return TakeSample(engine, times); });
  while (taken.wait_for(milliseconds(1)) != std::future_status::ready) engine.Step();
  return taken.get();
}

std::set<std::string> Names(const json::Array& manifests) {
  std::set<std::string> names;
  for (const json::Value& one : manifests) names.insert(one.FindPath("metadata.name")->string());
  return names;
}

TEST(Sample, HasBoundAndPendingPods) {
  fixture::TestScheduler rig;
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("bound");
  rig.Run();
  fixture::ScriptOf("A").pre_enqueue = [](fixture::Cycle&, const Pod& pod) {
    return pod.name() == "gated" ? Status::Unschedulable("not yet") : Status();
  };
  fixture::ScriptOf("A").pre_filter = [](auto&&...) { return Status::Unschedulable("no"); };
  rig.AddPod("refused");
  rig.AddPod("gated");
  rig.Run();
  const Sample sample = Taken(rig);
  EXPECT_THAT(Names(sample.nodes), testing::ElementsAre("n1", "n2"));
  EXPECT_THAT(Names(sample.pods), testing::ElementsAre("bound", "refused")) << "a gated pod would not be tried";
  for (const json::Value& pod : sample.pods) {
    const bool bound = pod.FindPath("metadata.name")->string() == "bound";
    EXPECT_EQ(pod.FindPath("spec.nodeName") != nullptr, bound);
  }
}

TEST(Sample, IsSmallInALargeCluster) {
  fixture::TestScheduler rig;
  std::vector<std::string> nodes;
  for (int i = 0; i < 50; ++i) nodes.push_back("n" + std::to_string(i));
  rig.AddNodes(nodes);
  for (int i = 0; i < 200; ++i) rig.AddPod("p" + std::to_string(i));
  rig.Run();
  const Sample sample = Taken(rig);
  EXPECT_EQ(Names(sample.nodes).size(), kMostNodes);
  EXPECT_EQ(Names(sample.pods).size(), sample.pods.size()) << "a pod was taken twice";
  EXPECT_LE(sample.pods.size(), kMostPods);
  EXPECT_GE(sample.pods.size(), kMostPods / 2);
}

TEST(Sample, IsEmptyWhenNobodyAnswers) {
  fixture::TestScheduler rig;
  rig.AddNodes({"n1"});
  const Sample sample = TakeSample(rig.simulation->engine(), milliseconds(1));
  EXPECT_TRUE(sample.nodes.empty());
  EXPECT_TRUE(sample.pods.empty());
  rig.Run();  // nobody waits for the answer
}

}  // namespace
}  // namespace berth::canary
