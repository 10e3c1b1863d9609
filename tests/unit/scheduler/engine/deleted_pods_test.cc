// What the engine writes about pods that are deleted during their binding cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Records the writes. Bindings stay open.
class OpenBindings final : public engine::Writes {
 public:
  void Bind(const berth_pod&, std::string_view, berth_op* op) override { bindings.push_back(op); }
  void PatchStatus(const api::PodRef& pod, engine::StatusPatch patch) override {
    if (patch.condition) conditions.emplace_back(pod->name());
  }
  void PodDeleted(std::string_view uid) override { deleted.emplace_back(uid); }
  void Event(const api::Pod& pod, std::string_view, std::string_view reason, std::string_view, std::string) override {
    events.push_back(std::string(pod.name()) + " " + std::string(reason));
  }
  std::vector<berth_op*> bindings;
  std::vector<std::string> conditions, deleted, events;
};

struct DeletedPods : testing::Test {
  api::InternTables intern;
  OpenBindings writes;
  base::RealClock clock;
  bind::InlineExecutor executor;
  engine::Engine engine{intern, clock, executor, writes, nullptr, {}};

  void SetUp() override {
    ClearScripts();
    BindThroughHost(ScriptOf("A"));
    auto set = BuildSet({{}}, engine.services());
    ASSERT_TRUE(set) << set.error().message;
    engine.SetProfiles(*set);
    engine.Post(engine::NodeSet{MakeNode(intern, "n1")});
    engine.Post(engine::PodSet{MakePod(intern, "p1")});
    Run();
    ASSERT_EQ(writes.bindings.size(), 1U);
  }
  void TearDown() override { EXPECT_EQ(engine.CheckConsistency(), std::vector<std::string>()); }
  void Run() {
    while (engine.Step() || executor.RunPending()) {
    }
  }
  void RejectBinding() {
    const std::string_view why = "pods \"p1\" not found";
    const berth_str reason{why.data(), static_cast<uint32_t>(why.size())};
    writes.bindings[0]->done(writes.bindings[0], BERTH_ERROR, &reason, 1);
    Run();
  }
};

TEST_F(DeletedPods, AreReportedToTheWriter) {
  const std::string uid(MakePod(intern, "p1")->uid());
  engine.Post(engine::PodGone{.key = "default/p1"});
  Run();
  EXPECT_THAT(writes.deleted, ElementsAre(uid));
  RejectBinding();
}

TEST_F(DeletedPods, AreThoseThatWereCreatedAgain) {
  const std::string uid(MakePod(intern, "p1")->uid());
  auto again = api::DecodePod(
      intern, R"({"metadata":{"namespace":"default","name":"p1","uid":"another"},"spec":{"schedulerName":"other"}})");
  ASSERT_TRUE(again) << again.error().message;
  engine.Post(engine::PodSet{*again});
  Run();
  EXPECT_THAT(writes.deleted, ElementsAre(uid));
  RejectBinding();
  EXPECT_THAT(writes.conditions, IsEmpty());
}

TEST_F(DeletedPods, GetAnEventButNoConditionWhenTheirBindingFails) {
  engine.Post(engine::PodGone{.key = "default/p1"});
  Run();
  RejectBinding();
  EXPECT_THAT(writes.events, ElementsAre("p1 FailedScheduling"));
  EXPECT_THAT(writes.conditions, IsEmpty());
}

TEST_F(DeletedPods, AreNotThoseWhoseBindingFailsWhileTheyExist) {
  RejectBinding();
  EXPECT_THAT(writes.conditions, ElementsAre("p1"));
  EXPECT_THAT(writes.deleted, IsEmpty());
}

}  // namespace
}  // namespace berth::fixture
