// When the engine annotates pods, and that it does not cause attempts by that.
#include "scheduler/engine/annotation_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;

class Source final : public engine::AnnotationSource {
 public:
  engine::MakeAnnotations After(const framework::Profile&, std::shared_ptr<const decisions::NodeTable> table,
                                std::string_view node) override {
    last = table;
    calls.push_back((node.empty() ? "none" : std::string(node)) + (table == nullptr ? "" : " with table"));
    return [node = std::string(node)] { return engine::Annotations{{"node", node}}; };
  }
  std::vector<std::string> calls;
  std::shared_ptr<const decisions::NodeTable> last;  // the table of the last call
};

simulation::SimulationOptions With(engine::AnnotationSource* source, size_t attempts = 100) {
  auto options = TestScheduler::DefaultOptions();
  options.engine.annotations = source;
  options.engine.decisions.time_share = 1;
  options.engine.decisions.limits.decisions = attempts;
  return options;
}

// The attempts for a pod that A, which every event wakes, always rejects.
size_t AttemptsToReject(engine::AnnotationSource* source) {
  TestScheduler rig({{}}, With(source));
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("no"));
    return Status::Ok();
  };
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  if (source != nullptr) {
    EXPECT_NE(rig.cluster.AnnotationsOf("default/p1"), nullptr);
  }
  return rig.story.entries.size();
}

TEST(Annotations, ABoundPodIsAnnotatedOnceWithItsTable) {
  Source source;
  TestScheduler rig({{}}, With(&source));
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(source.calls, ElementsAre("n1 with table"));
  ASSERT_NE(rig.cluster.AnnotationsOf("default/p1"), nullptr);
  EXPECT_EQ(*rig.cluster.AnnotationsOf("default/p1"), (engine::Annotations{{"node", "n1"}}));
}

// The host's guard cells, which follow the scores of a plugin, would make the column eight bytes wide for each row.
TEST(Annotations, TheScoresInATableAreFollowedByZeros) {
  Source source;
  TestScheduler rig({{}}, With(&source));
  ScriptOf("A").score = [](Cycle&, const Pod&, sdk::Node node) {
    return HostOf("A").Text(node.name()) == "n2" ? 9 : 4;
  };
  rig.AddNodes({"n1", "n2", "n3"});
  rig.AddPod("p1");
  rig.Run();
  ASSERT_NE(source.last, nullptr);
  ASSERT_FALSE(source.last->scores.empty());
  const decisions::Column& scores = source.last->scores[0].weighted;
  EXPECT_EQ(source.last->TotalOf(source.last->Find("n2")), 9);
  ASSERT_GT(scores.size(), 3u);
  for (uint32_t row = 3; row < scores.size(); ++row) EXPECT_EQ(scores.At(row), 0) << "row " << row;
}

TEST(Annotations, WithoutRecordsThereIsNoTable) {
  Source source;
  TestScheduler rig({{}}, With(&source, 0));
  rig.AddNodes({"n1"});
  rig.AddPod("p1");
  rig.Run();
  EXPECT_THAT(source.calls, ElementsAre("n1"));
}

TEST(Annotations, EqualOnesLeadToNoMoreAttempts) {
  Source source;
  const size_t without = AttemptsToReject(nullptr);
  EXPECT_LE(AttemptsToReject(&source), without + 1) << "the first annotations are an update of the pod";
  EXPECT_LE(source.calls.size(), without + 1);
}

}  // namespace
}  // namespace berth::fixture
