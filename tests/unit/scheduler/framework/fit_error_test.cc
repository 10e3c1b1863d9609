#include "scheduler/framework/fit_error.h"

#include <gtest/gtest.h>

namespace berth::framework {
namespace {

// The texts of FitError.Error in pkg/scheduler/framework/types.go.
TEST(FitError, CountsReasonsAndSortsThemAsTexts) {
  FitError error{.num_all_nodes = 12, .histogram = {{"Insufficient cpu", 2}, {"node(s) were unschedulable", 10}}};
  EXPECT_EQ(error.Text(), "0/12 nodes are available: 10 node(s) were unschedulable, 2 Insufficient cpu.");
  error.post_filter_message = "preemption: 0/12 nodes are available: 12 Preemption is not helpful for scheduling.";
  EXPECT_EQ(error.Text(),
            "0/12 nodes are available: 10 node(s) were unschedulable, 2 Insufficient cpu. preemption: 0/12 nodes are "
            "available: 12 Preemption is not helpful for scheduling.");
}

TEST(FitError, PreFilterMessageReplacesTheCounts) {
  const FitError error{
      .num_all_nodes = 3, .pre_filter_message = "pod affinity terms conflict", .histogram = {{"x", 3}}};
  EXPECT_EQ(error.Text(), "0/3 nodes are available: pod affinity terms conflict.");
}

TEST(FitError, WithoutReasons) {
  EXPECT_EQ((FitError{.num_all_nodes = 2}).Text(), "0/2 nodes are available:");
  EXPECT_EQ((FitError{.num_all_nodes = 2, .post_filter_message = "no"}).Text(), "0/2 nodes are available: no");
}

}  // namespace
}  // namespace berth::framework
