// Rules that choose the victims of a node themselves: berth/preemption/selection.hpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <berth/detail/library.hpp>
#include <berth/preemption.hpp>

#include <string>

#include "test_fixture.h"

namespace default_preemption_test {
namespace {

using namespace berth::sdk;  // NOLINT: as a plugin
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Pods named "old..." may have to leave, whatever their priority. A pod whose name ends with "!" never comes back.
struct OldLeave : preemption::DefaultRules {
  struct Counting {
    Trial& trial;
    bool barred = false;
    int left = 0;

    void Remove(const Pod& pod) {
      trial.Remove(pod);
      ++left;
      if (pod.name().ends_with("!")) barred = false;
    }
    void Add(const Pod& pod) {
      trial.Add(pod);
      --left;
      if (pod.name().ends_with("!")) barred = true;
    }
    TrialVerdict Filter() {
      if (barred) return {{BERTH_UNSCHEDULABLE, {}, 0}, kNoId};
      return trial.Filter();
    }
  };

  template <class Node>
  preemption::TryResult SelectVictims(Node& node) const {
    for (const Pod pod : node.pods()) {
      if (pod.name().starts_with("old")) node.Ask(pod);
    }
    if (node.asked().empty()) return preemption::TryResult::kNoVictims;
    Trial trial = node.Open();
    Counting counting{trial};
    const preemption::TryResult result = node.Try(counting);
    left = counting.left;
    return result;
  }
  static inline int left = 0;  // how many pods the last trial left without a place
};

class OldGo {
 public:
  static constexpr Info kInfo{.name = "OldGo"};
  static constexpr std::string_view kNeeds[] = {BERTH_PREEMPTION_NEEDS};
  static constexpr std::string_view kUses[] = {BERTH_PREEMPTION_USES};

  explicit OldGo(Host& host) : preemption_(host) {}
  void Activate() { preemption_.Activate(); }
  void Deactivate() { preemption_.Deactivate(); }
  Status PostFilter(Cycle& cycle, const Pod& pod, const Diagnosis& why, Nomination& out) {
    return preemption_.Run(cycle, pod, why, out);
  }

 private:
  preemption::Preemption<OldLeave> preemption_;
};

struct SelectionTest : ::testing::Test {
  PostFilterOutcome Preempt(const FakePod& pod, const Texts& nodes) {
    fixture.Start();
    const PostFilterOutcome outcome = fixture.Try(pod, nodes);
    fixture.Answer();
    return outcome;
  }
  static FakePod Wants(const Amounts& amounts) { return FakePod("p").Uid("p").Priority(kLow).Req(amounts); }

  Fixture fixture{&berth::sdk::detail::Library<OldGo>::Entry, "OldGo"};
};

TEST_F(SelectionTest, TheRulesSayWhoMayHaveToLeave) {
  fixture.Nodes({"n1"}).On("n1", {FakePod("old-1").Priority(kHigh).Req(Medium()), FakePod("new").Req(Large())});
  EXPECT_EQ(Preempt(Wants(Medium()), {"n1"}).node, "n1");
  EXPECT_THAT(fixture.Deleted(), ElementsAre("old-1"));
}

TEST_F(SelectionTest, ANodeWithoutVictimsIsNotTried) {
  fixture.Nodes({"n1"}).On("n1", {FakePod("new").Req(Large())});
  const PostFilterOutcome outcome = Preempt(Wants(Large()), {"n1"});
  EXPECT_EQ(outcome.reasons.front(), "0/1 nodes are available: 1 No preemption victims found for incoming pod.");
  EXPECT_THAT(fixture.trials.opened(), IsEmpty());
}

TEST_F(SelectionTest, ThoseComeBackWhomTheTrialOfTheRulesLetsIn) {
  fixture.Nodes({"n1"}).On("n1", {FakePod("old-1").Priority(kHigh).Req(Small()), FakePod("old-2!").Req(Small()),
                                  FakePod("old-3").Req(Small())});
  EXPECT_EQ(Preempt(Wants(Small()), {"n1"}).node, "n1");
  EXPECT_THAT(fixture.Deleted(), ElementsAre("old-2!"));
  EXPECT_EQ(OldLeave::left, 1);
}

TEST_F(SelectionTest, AFailedTrialFailsItsNodeOnly) {
  fixture.Nodes({"n1", "n2"})
      .On("n1", {FakePod("old-1").Uid("1").Req(VeryLarge())})
      .On("n2", {FakePod("old-2").Uid("2").Req(VeryLarge())});
  fixture.trials.FailOn("1", "a plugin failed");
  EXPECT_EQ(Preempt(Wants(Small()), {"n1", "n2"}).node, "n2");
}

}  // namespace
}  // namespace default_preemption_test
