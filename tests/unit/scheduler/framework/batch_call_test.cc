#include "scheduler/framework/batch_call.h"

#include <gtest/gtest.h>

namespace berth::framework {
namespace {

constexpr uint32_t kRows = 1000;
constexpr int64_t kCheap = 10'000, kCostly = 400'000, kInterrupted = 20'000'000;  // ns for all rows

// The number of calls, of as many as are given, that are split if a call that is not split takes this time.
uint32_t SplitCalls(RowCost& cost, uint32_t calls, int64_t ns) {
  uint32_t split = 0;
  for (uint32_t i = 0; i < calls; ++i) {
    if (cost.ShouldSplit(kRows)) {
      ++split;
    } else {
      cost.Learn(kRows, ns);
    }
  }
  return split;
}

TEST(RowCostTest, CheapCallsAreNotSplit) {
  RowCost cost;
  EXPECT_EQ(SplitCalls(cost, 1000, kCheap), 0u);
}

TEST(RowCostTest, CostlyCallsAreSplitExceptThoseToLearnFrom) {
  RowCost cost;
  EXPECT_EQ(SplitCalls(cost, 1 + 10 * kRelearnEvery, kCostly), 10 * (kRelearnEvery - 1));
}

TEST(RowCostTest, AnInterruptedCallDoesNotSplitTheNextOnes) {
  RowCost cost;
  SplitCalls(cost, 10, kCheap);
  cost.Learn(kRows, kInterrupted);
  EXPECT_EQ(SplitCalls(cost, 1000, kCheap), 0u);
}

TEST(RowCostTest, AnInterruptedFirstCallIsForgotten) {
  RowCost cost;
  cost.Learn(kRows, kInterrupted);
  SplitCalls(cost, 20 * kRelearnEvery, kCheap);
  EXPECT_EQ(SplitCalls(cost, 1000, kCheap), 0u);
}

TEST(RowCostTest, ACallThatBecomesCostlyIsSplitLater) {
  RowCost cost;
  SplitCalls(cost, 10, kCheap);
  SplitCalls(cost, 100, kCostly);
  EXPECT_EQ(SplitCalls(cost, kRelearnEvery, kCostly), kRelearnEvery - 1);
}

}  // namespace
}  // namespace berth::framework
