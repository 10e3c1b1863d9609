// Operations that a plugin does not end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int64_t kDeadline = 30 * base::kSecond;
constexpr const char* kOverdue = "plugin \"A\" kept an operation for longer than faults.opDeadline (30s) in ";

class OperationsTest : public testing::Test {
 protected:
  void Begin(int64_t op_deadline_ns) {
    rig_.emplace(std::vector<ProfilePlan>{{.faults = {.op_deadline_ns = op_deadline_ns}}});
    ScriptOf("A").unreserve = [this](Cycle&, const Pod&, Id) { ++unreserved_; };
    rig_->AddNodes({"n1"});
    rig_->AddPod("p1");
  }
  // The first call keeps its operation; later calls end at once.
  auto KeepFirst(std::function<Status(Cycle&, const Pod&, Id, sdk::Op&)> then) {
    return [this, then = std::move(then)](Cycle& cycle, const Pod& pod, Id node, sdk::Op& op) {
      if (!kept_.empty()) return then(cycle, pod, node, op);
      kept_.push_back(std::move(op));
      return Status::Later();
    };
  }
  static Status Succeed(Cycle&, const Pod&, Id, sdk::Op&) { return Status::Ok(); }
  engine::Engine& engine() { return rig_->simulation->engine(); }
  std::vector<std::string> Open() {
    std::vector<std::string> lines;
    for (const auto& count : engine().open_operations().Counts()) {
      lines.push_back(count.plugin + " " + count.point + " " + std::to_string(count.open));
    }
    return lines;
  }
  uint64_t Faults() { return engine().profiles().profiles.front()->Find(rig_->intern.ids.Find("A"))->faults(); }
  void EndKept() {
    for (sdk::Op& op : kept_) op.Done(Status::Ok());
    rig_->Run();
  }

  // An event, so that the simulation tries the pod again.
  void TryAgain() {
    rig_->AddPod("other", R"("nodeName":"n1")");
    rig_->Run();
  }

  std::optional<TestScheduler> rig_;
  std::vector<sdk::Op> kept_;
  int unreserved_ = 0;
};

TEST_F(OperationsTest, WithoutADeadlineTheyStayOpenAndAreCounted) {
  Begin(0);
  ScriptOf("A").pre_bind = KeepFirst(Succeed);
  rig_->Run();
  EXPECT_THAT(Open(), ElementsAre("A PreBind 1"));
  EXPECT_EQ(engine().attempts_in_flight(), 1u);
  EndKept();
  EXPECT_THAT(Open(), ElementsAre("A PreBind 0"));
  EXPECT_EQ(rig_->story.Lines().back(), "p1 Scheduled n1");
  EXPECT_EQ(Faults(), 0u);
}

TEST_F(OperationsTest, AfterTheDeadlineThePodIsTriedAgain) {
  Begin(kDeadline);
  ScriptOf("A").pre_bind = KeepFirst(Succeed);
  rig_->Run();
  EXPECT_THAT(rig_->story.Lines(),
              ElementsAre(std::string("p1 Error running PreBind plugin \"A\": ") + kOverdue + "PreBind"));
  EXPECT_EQ(unreserved_, 1);
  EXPECT_EQ(Faults(), 1u);
  EXPECT_THAT(Open(), ElementsAre("A PreBind 0"));
  EXPECT_FALSE(engine().cache().IsAssumed("pod-p1"));
  EndKept();
  EXPECT_EQ(rig_->story.entries.size(), 1u) << "it is too late to change anything";
  EXPECT_EQ(unreserved_, 1);
  TryAgain();
  EXPECT_EQ(rig_->story.Lines().back(), "p1 Scheduled n1");
}

TEST_F(OperationsTest, ABindPluginHasADeadlineToo) {
  Begin(kDeadline);
  ScriptOf("A").bind = KeepFirst(ScriptOf("A").bind);
  rig_->Run();
  EXPECT_THAT(rig_->story.Lines(),
              ElementsAre(std::string("p1 Error running Bind plugin \"A\": ") + kOverdue + "Bind"));
  EXPECT_EQ(unreserved_, 1);
  EXPECT_EQ(Faults(), 1u);
  TryAgain();
  EXPECT_EQ(rig_->story.Lines().back(), "p1 Scheduled n1");
  EndKept();
  EXPECT_EQ(rig_->story.entries.size(), 2u);
}

TEST_F(OperationsTest, OperationsOfTheHostAreNotCounted) {
  Begin(1);
  rig_->Run();
  EXPECT_THAT(rig_->story.Lines(), ElementsAre("p1 Scheduled n1"));
  EXPECT_THAT(Open(), IsEmpty());
}

TEST_F(OperationsTest, APodThatWaitsOnPermitIsNoOperation) {
  Begin(kDeadline);
  bool first = true;
  ScriptOf("A").permit = [&](Cycle&, const Pod&, Id, std::chrono::nanoseconds& wait) {
    if (!std::exchange(first, false)) return Status::Ok();
    wait = std::chrono::minutes(2);
    return Status::Wait();
  };
  rig_->Run();
  ASSERT_FALSE(rig_->story.entries.empty());
  EXPECT_EQ(rig_->story.Lines().front(),
            "p1 Unschedulable 0/1 nodes are available: 1 rejected due to timeout after waiting 2m0s at plugin A.");
  EXPECT_EQ(Faults(), 0u);
  EXPECT_THAT(Open(), IsEmpty());
}

}  // namespace
}  // namespace berth::fixture
