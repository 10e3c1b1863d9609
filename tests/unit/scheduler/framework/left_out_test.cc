#include "scheduler/framework/left_out.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::framework {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class LeftOutTest : public testing::Test {
 protected:
  // The pods, as their positions in pods_.
  std::vector<size_t> Numbers(std::span<const LeftOut> left_out) const {
    std::vector<size_t> numbers;
    for (const LeftOut& one : left_out) numbers.push_back(static_cast<size_t>(one.pod - pods_.data()));
    return numbers;
  }
  static Rejection Because(uint32_t reasons) { return {nullptr, {BERTH_UNSCHEDULABLE, {}, reasons}}; }
  static uint32_t ReasonsOf(const LeftOut& one) { return one.rejection.verdict.reasons; }

  std::vector<berth_pod> pods_ = std::vector<berth_pod>(4);
  LeftOutPods trial_;
  LeftOutByTrial trials_;
};

// As preemption does it: all leave, and each comes back unless the row is then rejected.
TEST_F(LeftOutTest, AVictimHasTheRejectionOfItsOwnReturn) {
  for (size_t i : {0, 1, 2}) trial_.Removed(pods_[i], 7);
  trial_.Accepted();
  trial_.Added(pods_[2]);
  trial_.Accepted();
  trial_.Added(pods_[1]);
  trial_.Rejected(7, Because(5));
  trial_.Removed(pods_[1], 7);
  trial_.Added(pods_[0]);
  trial_.Rejected(7, Because(6));
  trial_.Removed(pods_[0], 7);
  ASSERT_THAT(Numbers(trial_.pods()), ElementsAre(0, 1));
  EXPECT_EQ(ReasonsOf(trial_.pods()[0]), 6u);
  EXPECT_EQ(ReasonsOf(trial_.pods()[1]), 5u);
  EXPECT_EQ(trial_.pods()[0].row, 7u);
}

TEST_F(LeftOutTest, ATrialThatNoFilterAcceptedHasNone) {
  trial_.Removed(pods_[0], 1);
  trial_.Rejected(1, Because(5));
  EXPECT_THAT(Numbers(trial_.pods()), IsEmpty());
}

// As CrossNodePreemption does it: the pods come back after the set was accepted.
TEST_F(LeftOutTest, PodsThatComeBackLaterCount) {
  trial_.Removed(pods_[0], 1);
  trial_.Removed(pods_[1], 2);
  trial_.Accepted();
  trial_.Added(pods_[1]);
  trial_.Added(pods_[0]);
  EXPECT_THAT(Numbers(trial_.pods()), ElementsAre(0, 1));
}

TEST_F(LeftOutTest, ARejectionOfAnotherRowOrBeforeAnotherChangeDoesNotCount) {
  trial_.Rejected(2, Because(5));
  trial_.Removed(pods_[0], 1);
  trial_.Rejected(1, Because(5));
  trial_.Removed(pods_[1], 1);
  trial_.Removed(pods_[2], 1);
  trial_.Accepted();
  ASSERT_THAT(Numbers(trial_.pods()), ElementsAre(0, 1, 2));
  EXPECT_EQ(ReasonsOf(trial_.pods()[0]), 0u);
  EXPECT_EQ(ReasonsOf(trial_.pods()[1]), 5u);
  EXPECT_EQ(ReasonsOf(trial_.pods()[2]), 0u);
}

// It belongs to the plugin, and may be gone after the trial.
TEST_F(LeftOutTest, APodThatWasOnlyAddedIsNoVictim) {
  trial_.Added(pods_[0]);
  trial_.Rejected(1, Because(5));
  trial_.Removed(pods_[0], 1);
  trial_.Removed(pods_[1], 1);
  trial_.Accepted();
  EXPECT_THAT(Numbers(trial_.pods()), ElementsAre(1));
}

TEST_F(LeftOutTest, TheLastTrialOfARowCounts) {
  const auto keep = [&](std::initializer_list<size_t> pods, uint32_t row) {
    trial_.Clear();
    for (size_t i : pods) trial_.Removed(pods_[i], row);
    trial_.Accepted();
    trials_.Keep(trial_.pods());
  };
  keep({0, 1}, 3);
  keep({2}, 4);
  keep({}, 4);
  keep({1}, 3);
  EXPECT_THAT(Numbers(trials_.Of(3)), ElementsAre(1));
  EXPECT_THAT(Numbers(trials_.Of(4)), ElementsAre(2));
  EXPECT_THAT(Numbers(trials_.Of(5)), IsEmpty());
  trials_.Clear();
  EXPECT_THAT(Numbers(trials_.Of(3)), IsEmpty());
}

TEST_F(LeftOutTest, KeepsAtMostSoManyPods) {
  trial_.Removed(pods_[0], 3);
  trial_.Accepted();
  for (size_t i = 0; i < LeftOutByTrial::kMaxPods; ++i) trials_.Keep(trial_.pods());
  trial_.Clear();
  trial_.Removed(pods_[1], 4);
  trial_.Accepted();
  trials_.Keep(trial_.pods());
  EXPECT_THAT(Numbers(trials_.Of(4)), IsEmpty());
  EXPECT_THAT(Numbers(trials_.Of(3)), ElementsAre(0));
}

TEST_F(LeftOutTest, ATrialOfSeveralRowsIsOneGroup) {
  trial_.Removed(pods_[0], 3);
  trial_.Removed(pods_[1], 4);
  trial_.Accepted();
  trials_.Keep(trial_.pods());
  EXPECT_THAT(Numbers(trials_.Of(3)), ElementsAre(0, 1));
  EXPECT_THAT(Numbers(trials_.Of(4)), ElementsAre(0, 1));
}

}  // namespace
}  // namespace berth::framework
