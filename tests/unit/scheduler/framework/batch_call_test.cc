#include "scheduler/framework/batch_call.h"

#include <gtest/gtest.h>

namespace berth::framework {
namespace {

constexpr uint32_t kRows = 1000;
constexpr int64_t kCheap = 10'000, kCostly = 400'000, kInterrupted = 20'000'000;  // ns for all rows

// How many of the calls, each of which takes this time, are split.
uint32_t SplitCalls(RowCost& cost, uint32_t calls, int64_t ns) {
  uint32_t split = 0;
  for (uint32_t i = 0; i < calls; ++i) {
    split += cost.ShouldSplit(kRows) ? 1 : 0;
    cost.Learn(kRows, ns);
  }
  return split;
}

TEST(RowCostTest, CheapCallsAreNotSplit) {
  RowCost cost;
  EXPECT_EQ(SplitCalls(cost, 1000, kCheap), 0u);
}

TEST(RowCostTest, CostlyCallsAreSplitAfterTheFirst) {
  RowCost cost;
  EXPECT_EQ(SplitCalls(cost, 1000, kCostly), 999u);
}

TEST(RowCostTest, AnInterruptedCallDoesNotSplitTheNextOnes) {
  RowCost cost;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(SplitCalls(cost, 50, kCheap), 0u);
    cost.Learn(kRows, kInterrupted);
  }
}

TEST(RowCostTest, AnInterruptedFirstCallIsForgotten) {
  RowCost cost;
  cost.Learn(kRows, kInterrupted);
  SplitCalls(cost, 100, kCheap);
  EXPECT_EQ(SplitCalls(cost, 1000, kCheap), 0u);
}

TEST(RowCostTest, ACallThatBecomesCostlyIsSplitSoon) {
  RowCost cost;
  SplitCalls(cost, 100, kCheap);
  EXPECT_GE(SplitCalls(cost, 20, kCostly), 15u);
}

// The cost of a plugin depends on the pod.
TEST(RowCostTest, CheapPodsDoNotHideCostlyOnes) {
  RowCost cost;
  for (int i = 0; i < 100; ++i) cost.Learn(kRows, i % 4 == 0 ? kCostly : kCheap);
  EXPECT_TRUE(cost.ShouldSplit(kRows));
}

}  // namespace
}  // namespace berth::framework
