// What the engine makes of the details that a FailureNotes gives it.
#include "scheduler/engine/failure_notes.h"

#include <gtest/gtest.h>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

constexpr size_t kMaxNote = 1024;

class Notes final : public engine::FailureNotes {
 public:
  std::string DetailsOf(const engine::ClusterView&, const api::Pod&, const decisions::NodeTable& table) override {
    ++calls;
    nodes = table.NamedRows().size();
    return details;
  }
  std::string details;
  int calls = 0;
  size_t nodes = 0;
};

struct FailedAttempt {
  std::string note, condition;
};

// A pod that A rejects on both nodes. attempts: the most that are recorded.
FailedAttempt Fail(Notes& notes, size_t attempts = 100) {
  auto options = TestScheduler::DefaultOptions();
  options.engine.failure_notes = &notes;
  options.engine.decisions.time_share = 1;
  options.engine.decisions.limits.decisions = attempts;
  TestScheduler rig({{}}, options);
  ScriptOf("A").filter = [](Cycle& c, const Pod&, sdk::Node, sdk::Verdict& verdict) {
    verdict = sdk::Verdict::Unschedulable(c.Reasons("no"));
    return Status::Ok();
  };
  rig.AddNodes({"n1", "n2"});
  rig.AddPod("p1");
  rig.Run();
  return {rig.cluster.events().back().note, rig.cluster.FindPod("default/p1")->scheduled_condition().message};
}

TEST(FailureNotes, DetailsFollowTheMessageInTheEventOnly) {
  Notes notes;
  notes.details = "Closest: n1.";
  const FailedAttempt failure = Fail(notes);
  EXPECT_EQ(failure.condition, "0/2 nodes are available: 2 no.");
  EXPECT_EQ(failure.note, failure.condition + " Closest: n1.");
  EXPECT_EQ(notes.nodes, 2u);
}

TEST(FailureNotes, NoDetailsLeaveTheMessage) {
  Notes notes;
  EXPECT_EQ(Fail(notes).note, "0/2 nodes are available: 2 no.");
  EXPECT_EQ(notes.calls, 1);
}

TEST(FailureNotes, WithoutATableNobodyIsAsked) {
  Notes notes;
  notes.details = "never";
  EXPECT_EQ(Fail(notes, 0).note, "0/2 nodes are available: 2 no.");
  EXPECT_EQ(notes.calls, 0);
}

TEST(FailureNotes, ALongNoteIsCutBetweenCharacters) {
  for (const std::string lead : {"", "x", "xx", "xxx"}) {
    Notes notes;
    notes.details = lead;
    while (notes.details.size() < 2 * kMaxNote) notes.details += "\u20ac";  // three bytes
    const std::string note = Fail(notes).note;
    EXPECT_LE(note.size(), kMaxNote);
    EXPECT_GT(note.size(), kMaxNote - 3);
    EXPECT_TRUE(note.ends_with("\u20ac ...")) << note;
  }
}

}  // namespace
}  // namespace berth::fixture
