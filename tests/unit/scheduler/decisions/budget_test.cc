// The share of the time that recording may take.
#include <gtest/gtest.h>

#include "scheduler/decisions/budget.h"

namespace berth::decisions {
namespace {

TEST(BudgetTest, SpendsTheCreditAndThenTheShare) {
  base::VirtualClock clock(0);
  Budget budget(0.01, 1000, clock);
  EXPECT_FALSE(budget.Allows()) << "nothing is earned yet";
  clock.Advance(base::kSecond);
  EXPECT_TRUE(budget.Allows());
  budget.Spend(1500);
  EXPECT_FALSE(budget.Allows());
  clock.Advance(49'000);  // earns 490 of the missing 500
  EXPECT_FALSE(budget.Allows());
  clock.Advance(2'000);
  EXPECT_TRUE(budget.Allows());
}

TEST(BudgetTest, NeverSavesMoreThanTheCredit) {
  base::VirtualClock clock(0);
  Budget budget(0.01, 1000, clock);
  clock.Advance(base::kSecond);
  EXPECT_TRUE(budget.Allows());
  budget.Spend(1000);
  EXPECT_FALSE(budget.Allows());
}

TEST(BudgetTest, AWholeShareAllowsEverything) {
  base::VirtualClock clock(0);
  Budget budget(1, 0, clock);
  budget.Spend(base::kSecond);
  EXPECT_TRUE(budget.Allows());
}

TEST(BudgetTest, NoShareAllowsNothing) {
  base::VirtualClock clock(0);
  Budget budget(0, 10, clock);
  clock.Advance(base::kSecond);
  EXPECT_FALSE(budget.Allows());
}

}  // namespace
}  // namespace berth::decisions
