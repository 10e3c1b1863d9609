// A PreBind call that returns LATER holds no thread: pods that wait for their volumes do not delay others. Real clock,
// real threads, two of them for binding.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

constexpr int kWaiting = 2000;
constexpr int kOthers = 500;

class CountEnds final : public engine::AttemptObserver {
 public:
  void OnAttempt(const engine::AttemptReport& report) override {
    const bool waited = report.pod.name().starts_with("wait");
    if (report.bound) ++(waited ? waiting_bound : others_bound);
    if (!report.bound) ++failed;
  }
  int waiting_bound = 0, others_bound = 0, failed = 0;
};

class LaterTest : public testing::Test {
 protected:
  LaterTest() {
    ClearScripts();
    BindThroughHost(ScriptOf("A"));
    ScriptOf("A").pre_bind = [this](Cycle&, const Pod& pod, Id, sdk::Op& op) {
      if (!pod.name().starts_with("wait")) return Status::Ok();
      std::lock_guard lock(mutex_);
      held_.push_back(std::move(op));
      return Status::Later();
    };
    ScriptOf("A").unreserve = [this](Cycle&, const Pod&, Id) { ++unreserved_; };
    cluster_.Attach(&engine_);
    auto set = BuildSet({{}}, engine_.services());
    EXPECT_TRUE(set) << set.error().message;
    engine_.SetProfiles(*set);
    for (int i = 0; i < 50; ++i) cluster_.SetNode(MakeNode(intern_, "n" + std::to_string(i)));
  }
  ~LaterTest() override {
    executor_.Stop();  // its threads may still be in the inbox of the engine
    cluster_.Attach(nullptr);
  }

  bool StepUntil(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!done()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      if (!engine_.Step()) engine_.WaitFor(base::kMillisecond);
    }
    return true;
  }
  // The time that it takes to bind so many new pods.
  std::chrono::duration<double> BindOthers(const std::string& prefix) {
    const auto start = std::chrono::steady_clock::now();
    const int before = count_.others_bound;
    for (int i = 0; i < kOthers; ++i) cluster_.SetPod(MakePod(intern_, prefix + std::to_string(i)));
    EXPECT_TRUE(StepUntil([&] { return count_.others_bound == before + kOthers; }));
    return std::chrono::steady_clock::now() - start;
  }
  void LetManyWait() {
    for (int i = 0; i < kWaiting; ++i) cluster_.SetPod(MakePod(intern_, "wait" + std::to_string(i)));
    EXPECT_TRUE(StepUntil([this] { return n_held() == kWaiting; }));
    EXPECT_EQ(engine_.attempts_in_flight(), static_cast<size_t>(kWaiting));
  }
  size_t n_held() {
    std::lock_guard lock(mutex_);
    return held_.size();
  }
  std::vector<sdk::Op> TakeHeld() {
    std::lock_guard lock(mutex_);
    return std::exchange(held_, {});
  }

  std::mutex mutex_;
  std::vector<sdk::Op> held_;  // guarded by mutex_
  std::atomic<int> unreserved_{0};
  CountEnds count_;
  api::InternTables intern_;
  simulation::Cluster cluster_{intern_};
  base::RealClock clock_;
  bind::ThreadExecutor executor_{2};
  engine::Engine engine_{intern_, clock_, executor_, cluster_, &count_, {}};
};

TEST_F(LaterTest, TwoThousandPodsInPreBindDoNotDelayOthers) {
  const auto alone = BindOthers("before");
  LetManyWait();
  const auto beside = BindOthers("beside");
  EXPECT_EQ(n_held(), static_cast<size_t>(kWaiting));
  EXPECT_EQ(count_.waiting_bound, 0);
  // The same rate, with a tolerance for a busy machine.
  EXPECT_LT(beside.count(), 4 * alone.count() + 0.5);
  RecordProperty("alone_ms", static_cast<int>(alone.count() * 1000));
  RecordProperty("beside_ms", static_cast<int>(beside.count() * 1000));

  std::jthread provisioner([ops = TakeHeld()]() mutable {
    for (sdk::Op& op : ops) op.Done(Status::Ok());
  });
  EXPECT_TRUE(StepUntil([this] { return count_.waiting_bound == kWaiting; }));
  EXPECT_EQ(count_.failed, 0);
  EXPECT_EQ(engine_.attempts_in_flight(), 0u);
  EXPECT_EQ(engine_.CheckConsistency(), std::vector<std::string>());
}

TEST_F(LaterTest, ShutdownEndsTheWait) {
  LetManyWait();
  engine_.BeginShutdown();
  EXPECT_TRUE(StepUntil([this] { return engine_.attempts_in_flight() == 0; }));
  EXPECT_EQ(unreserved_, kWaiting);
  EXPECT_EQ(count_.waiting_bound, 0);
  for (const auto& event : cluster_.events()) EXPECT_NE(event.type, "Warning");  // the failure is not reported
  for (sdk::Op& op : TakeHeld()) op.Done(Status::Ok());                          // too late, and harmless
  engine_.Step();
  EXPECT_EQ(unreserved_, kWaiting);
  EXPECT_EQ(count_.waiting_bound, 0);
}

}  // namespace
}  // namespace berth::fixture
