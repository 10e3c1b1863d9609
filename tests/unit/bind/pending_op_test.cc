#include "bind/pending_op.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace berth::bind {
namespace {

struct Heard {
  int times = 0;
  plugin::Status status;
  PendingOp::Resume Ear() {
    return [this](plugin::Status s) {
      ++times;
      status = std::move(s);
    };
  }
};

void End(berth_op* op, berth_status status) { op->done(op, status, nullptr, 0); }

TEST(PendingOp, WhoeverComesSecondGoesOn) {
  Heard first_done, first_returned;
  PendingOp* a = PendingOp::Take(7, first_done.Ear());
  End(a->abi(), BERTH_SUCCESS);
  EXPECT_EQ(first_done.times, 0);
  a->ReturnedLater();
  EXPECT_EQ(first_done.times, 1);
  PendingOp* b = PendingOp::Take(7, first_returned.Ear());
  b->ReturnedLater();
  EXPECT_EQ(first_returned.times, 0);
  End(b->abi(), BERTH_ERROR);
  EXPECT_EQ(first_returned.times, 1);
  EXPECT_EQ(first_returned.status.plugin, 7u);
  EXPECT_EQ(first_returned.status.Message(), "the operation ended with status 1 and no reason");
}

TEST(PendingOp, TheFirstDoneCounts) {
  Heard heard;
  PendingOp* op = PendingOp::Take(7, heard.Ear());
  End(op->abi(), BERTH_SUCCESS);
  End(op->abi(), BERTH_ERROR);
  op->ReturnedLater();
  End(op->abi(), BERTH_ERROR);
  EXPECT_EQ(heard.times, 1);
  EXPECT_TRUE(heard.status.ok());
}

// A plugin gives its op to the binder and then throws: the reply to its write must not end another pod's call.
TEST(PendingOp, WhatTheHostWillEndIsNotUsedForAnotherCall) {
  Heard abandoned;
  PendingOp* held = PendingOp::Take(7, abandoned.Ear());
  PendingOp::HeldByHost(held->abi());
  held->ReturnedNow();
  std::vector<Heard> others(5000);
  for (Heard& heard : others) {
    PendingOp* op = PendingOp::Take(7, heard.Ear());
    ASSERT_NE(op, held);
    op->ReturnedNow();
  }
  End(held->abi(), BERTH_SUCCESS);
  EXPECT_EQ(abandoned.times, 0);
}

TEST(PendingOp, AStrayDoneFindsAnIdleOperation) {
  Heard stray, next;
  PendingOp* op = PendingOp::Take(7, stray.Ear());
  op->ReturnedNow();
  PendingOp* other = PendingOp::Take(7, next.Ear());
  EXPECT_NE(other, op) << "the longest idle one first";
  End(op->abi(), BERTH_SUCCESS);
  EXPECT_EQ(stray.times, 0);
  EXPECT_EQ(next.times, 0);
  other->ReturnedNow();
}

TEST(PendingOp, MeetsOnTwoThreads) {
  for (int i = 0; i < 300; ++i) {
    std::atomic<int> times{0};
    PendingOp* op = PendingOp::Take(7, [&](plugin::Status) { ++times; });
    std::thread ender([op] { End(op->abi(), BERTH_SUCCESS); });
    op->ReturnedLater();
    ender.join();
    EXPECT_EQ(times, 1);
  }
}

}  // namespace
}  // namespace berth::bind
