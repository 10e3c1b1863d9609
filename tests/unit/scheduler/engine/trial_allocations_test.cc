// Preemption tries thousands of rows: after the first trials, a trial allocates no memory.
#include <gtest/gtest.h>

#include "berth/trial.hpp"
#include "counting_new.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

TEST(TrialAllocations, NoneInTheSteadyState) {
  TestScheduler rig({{.plugins = {"K", "A", "B"}}});
  // Rejects without a reason: the text would be memory of the plugin.
  ScriptOf("B").filter = [](Cycle&, const Pod&, sdk::Node node, sdk::Verdict& verdict) {
    if (node.pods().size() > 1) verdict = sdk::Verdict::Unschedulable({});
    return Status::Ok();
  };
  uint64_t allocations = 99;
  bool fitted = true;
  ScriptOf("A").post_filter = [&](Cycle& c, const Pod&, const sdk::Diagnosis&, sdk::Nomination&) {
    const sdk::Trials trials(HostOf("A"));
    const std::vector<Pod> pods(c.snap().Pods(0).begin(), c.snap().Pods(0).end());
    const auto try_once = [&] {
      sdk::Trial trial = trials.Open(c, 0);
      for (const Pod& pod : pods) trial.Remove(pod);
      fitted = fitted && trial.Filter().ok();
      for (const Pod& pod : pods) {
        trial.Add(pod);
        if (!trial.Filter().ok()) trial.Remove(pod);
      }
    };
    try_once();
    const uint64_t before = bench::Allocations();
    for (int i = 0; i < 100; ++i) try_once();
    allocations = bench::Allocations() - before;
    return Status(BERTH_UNSCHEDULABLE);
  };
  rig.AddNodes({"n1"});
  for (const char* name : {"v1", "v2", "v3", "v4"}) rig.AddPod(name, R"("nodeName":"n1")");
  rig.AddPod("p1");
  rig.Run();
  EXPECT_TRUE(fitted);
  EXPECT_EQ(allocations, 0u);
}

}  // namespace
}  // namespace berth::fixture
