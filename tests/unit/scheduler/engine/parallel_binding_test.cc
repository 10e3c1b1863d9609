// Binding does not delay scheduling. Real clock, real threads.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

class CountBound final : public engine::AttemptObserver {
 public:
  void OnAttempt(const engine::AttemptReport& report) override {
    if (report.bound) ++bound;
    if (report.bound && report.pod.name() == "slow") slow_bound = true;
  }
  int bound = 0;
  bool slow_bound = false;
};

// 100 pods are bound while PreBind of another pod holds its thread for five seconds.
TEST(ParallelBinding, ASlowPreBindDoesNotDelayOtherPods) {
  ClearScripts();
  BindThroughHost(ScriptOf("A"));
  std::atomic<bool> sleeping{false};
  ScriptOf("A").pre_bind = [&](Cycle&, const Pod& pod, Id, sdk::Op&) {
    if (pod.name() != "slow") return Status::Ok();
    sleeping = true;
    std::this_thread::sleep_for(std::chrono::seconds(5));
    return Status::Ok();
  };
  api::InternTables intern;
  simulation::Cluster cluster(intern);
  base::RealClock clock;
  CountBound count;
  bind::ThreadExecutor executor(4);
  engine::Engine engine(intern, clock, executor, cluster, &count, {});
  cluster.Attach(&engine);
  auto set = BuildSet({{}}, engine.services());
  ASSERT_TRUE(set) << set.error().message;
  engine.SetProfiles(*set);
  cluster.SetNode(MakeNode(intern, "n1"));
  cluster.SetPod(MakePod(intern, "slow"));
  const auto start = std::chrono::steady_clock::now();
  auto step_until = [&](const std::function<bool()>& done) {
    while (!done() && std::chrono::steady_clock::now() - start < std::chrono::seconds(30)) {
      if (!engine.Step()) engine.WaitFor(base::kSecond / 1000);
    }
  };
  step_until([&] { return sleeping.load(); });
  for (int i = 0; i < 100; ++i) cluster.SetPod(MakePod(intern, "p" + std::to_string(i)));
  step_until([&] { return count.bound == 100; });
  const auto others = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(count.bound, 100);
  EXPECT_FALSE(count.slow_bound);
  EXPECT_LT(others, std::chrono::seconds(5));
  step_until([&] { return count.slow_bound; });
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  EXPECT_TRUE(count.slow_bound);
  EXPECT_EQ(engine.CheckConsistency(), std::vector<std::string>());
  executor.Stop();  // its threads may still be in the inbox of the engine
  cluster.Attach(nullptr);
}

}  // namespace
}  // namespace berth::fixture
