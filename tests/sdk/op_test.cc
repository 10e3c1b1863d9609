// Calls that end later: whether the plugin keeps, ends, drops, or forgets an operation, there is exactly one outcome.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <thread>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Later {
  static constexpr Info kInfo{.name = "later"};
  static std::function<Status(Later&, Op&)>& act() {
    static std::function<Status(Later&, Op&)> act;
    return act;
  }
  explicit Later(Host& h) : host(h) {}
  Status PreBind(Cycle&, const Pod&, Id, Op& op) { return act()(*this, op); }
  Status Bind(Cycle&, const Pod& pod, Id node, Op& op) { return host.Bind(pod, node, op); }
  Host& host;
};

class OpTest : public ::testing::Test {
 protected:
  OpTest() : plugin(TestPlugin<Later>()) { plugin.cluster().Add(FakeNode("n1")); }
  ~OpTest() override {
    Later::act() = nullptr;
    EXPECT_THAT(plugin.Violations(), IsEmpty());
  }
  Outcome PreBind(std::function<Status(Later&, Op&)> act) {
    Later::act() = std::move(act);
    if (!started_) {
      EXPECT_TRUE(plugin.Start().ok());
    }
    started_ = true;
    return plugin.Try(FakePod())->PreBind("n1");
  }
  PluginUnderTest plugin;
  bool started_ = false;
};

TEST_F(OpTest, AtOnce) {
  EXPECT_EQ(PreBind([](Later&, Op&) { return Status::Unschedulable("no volume"); }),
            (Outcome{BERTH_UNSCHEDULABLE, {"no volume"}}));
}

TEST_F(OpTest, FromAnotherThread) {
  std::thread worker;
  EXPECT_EQ(PreBind([&worker](Later&, Op& op) {
              worker = std::thread([kept = std::move(op)]() mutable { kept.Done(Status::Error("disk is gone")); });
              return Status::Later();
            }),
            (Outcome{BERTH_ERROR, {"disk is gone"}}));
  worker.join();
}

TEST_F(OpTest, BeforeTheCallReturns) {
  EXPECT_TRUE(PreBind([](Later&, Op& op) {
                Op kept = std::move(op);
                kept.Done(Status::Ok());
                return Status::Later();
              }).ok());
}

TEST_F(OpTest, DroppedIsAnError) {
  EXPECT_EQ(PreBind([](Later&, Op& op) {
              const Op dropped = std::move(op);
              return Status::Later();
            }),
            (Outcome{BERTH_ERROR, {"the plugin dropped the operation without an outcome"}}));
}

TEST_F(OpTest, AssigningOverAKeptOneDropsIt) {
  std::optional<Op> slot;
  EXPECT_EQ(PreBind([&slot](Later&, Op& op) {
              slot.emplace(std::move(op));
              *slot = Op(nullptr);
              return Status::Later();
            }),
            (Outcome{BERTH_ERROR, {"the plugin dropped the operation without an outcome"}}));
}

TEST_F(OpTest, KeptAndThenThrownIsStillLater) {
  std::optional<Op> slot;
  std::thread worker;
  EXPECT_EQ(PreBind([&](Later&, Op& op) -> Status {
              slot.emplace(std::move(op));
              worker = std::thread([&slot] {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
                slot->Done(Status::Ok());
              });
              throw std::runtime_error("after the op was given away");
            }),
            (Outcome{BERTH_SUCCESS, {}}));
  worker.join();
}

TEST_F(OpTest, TheBinderEndsTheOp) {
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_TRUE(plugin.Try(FakePod("p"))->Bind("n1").ok());
  plugin.host().BindAnswers(BERTH_ERROR, "conflict");
  EXPECT_EQ(plugin.Try(FakePod("q"))->Bind("n1"), (Outcome{BERTH_ERROR, {"conflict"}}));
  EXPECT_THAT(plugin.host().bindings(), ElementsAre("default/p -> n1", "default/q -> n1"));
}

TEST_F(OpTest, WithoutABinderTheCallEndsAtOnce) {
  plugin.host().Without(BERTH_SERVICE_BINDER);
  ASSERT_TRUE(plugin.Start().ok());
  EXPECT_EQ(plugin.Try(FakePod())->Bind("n1"),
            (Outcome{BERTH_ERROR, {"plugin later: Bind threw: this host does not offer berth.host.binder/1: bind"}}));
}

}  // namespace
}  // namespace berth::sdk::testing
