// Which thread each part of a binding cycle runs on. Real clock, real threads.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "scheduler/bind/executor.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

std::string ThreadNow() {
  char name[16];
  pthread_getname_np(pthread_self(), name, sizeof name);
  return std::string(name).starts_with("binding-") ? "executor" : name;
}

// What the plugins do, and what they say.
struct Stage {
  std::function<Status(sdk::Op&)> bind;
  Status pre_flight = Status::Skip();
  std::mutex mutex;
  std::vector<std::string> said;  // guarded by mutex; "bind sched"

  void Say(const std::string& what) {
    const std::lock_guard lock(mutex);
    said.push_back(what + " " + ThreadNow());
  }
  std::vector<std::string> Said() {
    const std::lock_guard lock(mutex);
    return said;
  }
};
Stage* stage = nullptr;

struct Binder {
  static Status PreFlight(Cycle&, const Pod&, Id) {
    stage->Say("pre-flight");
    return stage->pre_flight;
  }
  static Status PreBind(Cycle&, const Pod&, Id) {
    stage->Say("pre-bind");
    return Status::Ok();
  }
  static Status Bind(Cycle&, const Pod&, Id, sdk::Op& op) {
    stage->Say("bind");
    return stage->bind(op);
  }
  static Status Reserve(Cycle&, const Pod&, Id) { return Status::Ok(); }
  static void Unreserve(Cycle&, const Pod&, Id) { stage->Say("unreserve"); }
};
struct Quick : Binder {
  static constexpr sdk::Info kInfo{.name = "Quick", .vendor = "tests", .flags = BERTH_F_NEVER_BLOCKS};
};
struct Slow : Binder {
  static constexpr sdk::Info kInfo{.name = "Slow", .vendor = "tests"};
};
struct Serial : Binder {
  static constexpr sdk::Info kInfo{
      .name = "Serial", .vendor = "tests", .flags = BERTH_F_NEVER_BLOCKS | BERTH_F_SERIAL_ONLY};
};
struct After {
  static constexpr sdk::Info kInfo{.name = "After", .vendor = "tests", .flags = BERTH_F_NEVER_BLOCKS};
  static void PostBind(Cycle&, const Pod&, Id) { stage->Say("post-bind"); }
};
struct Order {
  static constexpr sdk::Info kInfo{.name = "Order", .vendor = "tests"};
  static bool Less(const sdk::Queued& a, const sdk::Queued& b) { return a->queued_unix_ns < b->queued_unix_ns; }
};

std::shared_ptr<const loader::Library> Plugins() {
  static constexpr auto kNote = sdk::detail::MakeNote<Quick, Slow, Serial, After, Order>();
  return *loader::LinkedLibrary("hops", kNote.desc, sdk::detail::Library<Quick, Slow, Serial, After, Order>::Entry);
}

std::shared_ptr<framework::ProfileSet> SetOf(plugin::Services& services, const std::string& binder, bool post_bind) {
  framework::ProfileSpec spec;
  spec.scheduler_name = "default-scheduler";
  const auto add = [&spec](const std::string& name, std::initializer_list<plugin::Point> points) {
    plugin::InstanceSpec one;
    one.library = Plugins();
    one.library_plugin = one.name = name;
    one.profile = spec.scheduler_name;
    spec.plugins.push_back(std::move(one));
    for (const plugin::Point point : points) spec.points[static_cast<size_t>(point)].push_back({name, 0});
  };
  add("Order", {plugin::Point::kQueueSort});
  add(binder, {plugin::Point::kReserve, plugin::Point::kPreBind, plugin::Point::kBind});
  if (post_bind) add("After", {plugin::Point::kPostBind});
  auto set = std::make_shared<framework::ProfileSet>();
  auto built = framework::Profile::Build(std::move(spec), services);
  EXPECT_TRUE(built) << built.error().message;
  set->profiles.push_back(std::move(*built));
  return set;
}

class Outcomes final : public engine::AttemptObserver {
 public:
  void OnAttempt(const engine::AttemptReport& report) override { ++(report.bound ? bound : failed); }
  int bound = 0, failed = 0;
};

class ThreadHops : public testing::Test {
 protected:
  ThreadHops() {
    stage = &stage_;
    stage_.bind = [](sdk::Op&) { return Status::Ok(); };
    cluster_.Attach(&engine_);
    cluster_.SetNode(MakeNode(intern_, "n1"));
  }
  ~ThreadHops() override {
    executor_.Stop();
    cluster_.Attach(nullptr);
    for (std::thread& one : threads_) one.join();
  }

  // The test's thread is the scheduling thread.
  void Start(const std::string& binder, bool post_bind = false) {
    engine_.SetProfiles(SetOf(engine_.services(), binder, post_bind));
    pthread_setname_np(pthread_self(), "sched");
  }
  // Ends operations on a thread named "io".
  void EndOn(sdk::Op op, Status status) {
    threads_.emplace_back([op = std::move(op), status = std::move(status)]() mutable {
      pthread_setname_np(pthread_self(), "io");
      op.Done(std::move(status));
    });
  }
  void BindLater(Status status) {
    stage_.bind = [this, status](sdk::Op& op) {
      EndOn(std::move(op), status);
      return Status::Later();
    };
  }
  void StepUntilOver(int attempts) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (outcomes_.bound + outcomes_.failed < attempts && std::chrono::steady_clock::now() < deadline) {
      if (!engine_.Step()) engine_.WaitFor(base::kMillisecond);
    }
  }
  // Binds one pod, or tries to.
  std::vector<std::string> TryPod() {
    cluster_.SetPod(MakePod(intern_, "p1"));
    StepUntilOver(1);
    return stage_.Said();
  }
  using Lines = std::vector<std::string>;

  Stage stage_;
  Outcomes outcomes_;
  api::InternTables intern_;
  simulation::Cluster cluster_{intern_};
  base::RealClock clock_;
  bind::ThreadExecutor executor_{2};
  engine::Engine engine_{intern_, clock_, executor_, cluster_, &outcomes_, {}};
  std::vector<std::thread> threads_;
};

TEST_F(ThreadHops, WhatNeverBlocksNeedsNoExecutor) {
  Start("Quick");
  EXPECT_EQ(TryPod(), (Lines{"pre-flight sched", "bind sched"}));
  EXPECT_EQ(outcomes_.bound, 1);
  EXPECT_EQ(executor_.progress().begun, 0u);
}

TEST_F(ThreadHops, AnAnswerThatComesLaterNeedsNoExecutor) {
  Start("Quick");
  BindLater(Status::Ok());
  EXPECT_EQ(TryPod(), (Lines{"pre-flight sched", "bind sched"}));
  EXPECT_EQ(outcomes_.bound, 1);
  EXPECT_EQ(executor_.progress().begun, 0u);
}

TEST_F(ThreadHops, APluginWithoutThePromiseMayBlockItsThread) {
  Start("Slow");
  EXPECT_EQ(TryPod(), (Lines{"pre-flight executor", "bind executor"}));
  EXPECT_EQ(outcomes_.bound, 1);
}

TEST_F(ThreadHops, APluginThatWaitsForItsTurnMayBlockItsThread) {
  Start("Serial");
  EXPECT_EQ(TryPod(), (Lines{"pre-flight executor", "bind executor"}));
  EXPECT_EQ(outcomes_.bound, 1);
}

TEST_F(ThreadHops, PreBindMayBlockItsThread) {
  Start("Quick");
  stage_.pre_flight = Status::Ok();
  EXPECT_EQ(TryPod(), (Lines{"pre-flight sched", "pre-bind executor", "bind executor"}));
  EXPECT_EQ(outcomes_.bound, 1);
}

TEST_F(ThreadHops, PostBindMayBlockItsThread) {
  Start("Quick", /*post_bind=*/true);
  BindLater(Status::Ok());
  EXPECT_EQ(TryPod(), (Lines{"pre-flight sched", "bind sched", "post-bind executor"}));
  EXPECT_EQ(outcomes_.bound, 1);
}

TEST_F(ThreadHops, UnreserveMayBlockItsThread) {
  Start("Quick");
  BindLater(Status::Error("no"));
  EXPECT_EQ(TryPod(), (Lines{"pre-flight sched", "bind sched", "unreserve executor"}));
  EXPECT_EQ(outcomes_.failed, 1);
}

TEST_F(ThreadHops, AFailureAtOnceUnreservesOnTheExecutor) {
  Start("Quick");
  stage_.pre_flight = Status::Error("no");
  EXPECT_EQ(TryPod(), (Lines{"pre-flight sched", "unreserve executor"}));
  EXPECT_EQ(outcomes_.failed, 1);
}

TEST_F(ThreadHops, AfterSkipTheExecutorGoesOn) {
  Start("Quick");
  BindLater(Status::Skip());
  EXPECT_EQ(TryPod(), (Lines{"pre-flight sched", "bind sched", "unreserve executor"}));
  EXPECT_EQ(outcomes_.failed, 1);
}

TEST_F(ThreadHops, ManyBindingsDoNotNest) {
  Start("Quick");
  std::vector<const char*> frames;
  stage_.bind = [&frames](sdk::Op&) {
    frames.push_back(static_cast<const char*>(__builtin_frame_address(0)));
    return Status::Ok();
  };
  for (int i = 0; i < 100; ++i) cluster_.SetPod(MakePod(intern_, "p" + std::to_string(i)));
  StepUntilOver(100);
  ASSERT_EQ(outcomes_.bound, 100);
  EXPECT_EQ(std::vector<const char*>(100, frames.front()), frames);
}

// The answers of requests that are under way arrive after the end of the executor.
TEST_F(ThreadHops, AnAnswerAfterStopHasNoEffect) {
  Start("Quick");
  std::optional<sdk::Op> held;
  stage_.bind = [&held](sdk::Op& op) {
    held = std::move(op);
    return Status::Later();
  };
  cluster_.SetPod(MakePod(intern_, "p1"));
  for (int i = 0; i < 10; ++i) engine_.Step();
  ASSERT_EQ(stage_.Said().size(), 2u);
  executor_.Stop();
  EndOn(std::move(*held), Status::Ok());
  threads_.front().join();
  threads_.clear();
  EXPECT_FALSE(engine_.Step());
  EXPECT_EQ(outcomes_.bound, 0);
  engine_.AbandonAttempts();
}

}  // namespace
}  // namespace berth::fixture
