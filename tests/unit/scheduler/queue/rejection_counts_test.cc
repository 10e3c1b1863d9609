#include "scheduler/queue/rejection_counts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace berth::queue {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class RejectionCountsTest : public testing::Test {
 protected:
  // "REASON: NODES nodes, PODS pods"
  std::vector<std::string> Sums() const {
    std::vector<std::string> texts;
    for (const auto& [reason, nodes, pods] : counts_.Sums()) {
      texts.push_back(std::string(reason) + ": " + std::to_string(nodes) + " nodes, " + std::to_string(pods) + " pods");
    }
    return texts;
  }
  RejectionCounts counts_;
};

TEST_F(RejectionCountsTest, AddsThePodsThatWait) {
  const auto a = counts_.Add({{"cpu", 10}, {"taint", 2}});
  auto b = counts_.Add({{"cpu", 5}});
  EXPECT_THAT(Sums(), UnorderedElementsAre("cpu: 15 nodes, 2 pods", "taint: 2 nodes, 1 pods"));
  b = {};
  EXPECT_THAT(Sums(), UnorderedElementsAre("cpu: 10 nodes, 1 pods", "taint: 2 nodes, 1 pods"));
}

TEST_F(RejectionCountsTest, ALaterAttemptReplacesTheEarlierOne) {
  auto share = counts_.Add({{"cpu", 10}});
  share = counts_.Add({{"memory", 3}});
  EXPECT_THAT(Sums(), ElementsAre("memory: 3 nodes, 1 pods"));
  const RejectionCounts::Share moved = std::move(share);
  EXPECT_THAT(Sums(), ElementsAre("memory: 3 nodes, 1 pods"));
}

TEST_F(RejectionCountsTest, OtherTakesTheReasonsBeyondTheLimit) {
  std::vector<RejectionCounts::Share> shares;
  const auto reason = [](size_t i) { return "Insufficient example.com/r" + std::to_string(i); };
  for (size_t i = 0; i < 2 * RejectionCounts::kMaxReasons; ++i) shares.push_back(counts_.Add({{reason(i), 1}}));
  EXPECT_EQ(counts_.Sums().size(), RejectionCounts::kMaxReasons + 1);
  EXPECT_EQ(Sums().back(), "other: 64 nodes, 64 pods");
  shares.erase(shares.begin());  // its reason becomes free for the next one
  shares.push_back(counts_.Add({{"cpu", 7}}));
  EXPECT_THAT(Sums(), testing::Contains("cpu: 7 nodes, 1 pods"));
  shares.clear();
  EXPECT_THAT(Sums(), IsEmpty());
}

TEST_F(RejectionCountsTest, APodWithManyReasonsCountsOnceAsOther) {
  std::map<std::string, uint64_t> reasons;
  for (char c = 'a'; c < 'a' + 12; ++c) reasons[std::string(1, c)] = 2;
  const auto share = counts_.Add(reasons);
  EXPECT_EQ(Sums().size(), RejectionCounts::kMaxReasonsOfPod + 1);
  EXPECT_EQ(Sums().back(), "other: 8 nodes, 1 pods");
}

}  // namespace
}  // namespace berth::queue
