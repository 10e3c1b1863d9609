#include "scheduler/bind/pending_op.h"

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

TEST(PendingOp, TheSecondOfReturnAndDoneResumes) {
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

// A plugin breaks the rules and ends an operation again and again on a thread of its own.
TEST(PendingOp, AnEndedOperationMayBeEndedWhileThePoolReusesIt) {
  PendingOp* const ended = PendingOp::Take(7, [](const plugin::Status&) {});
  berth_op* const kept = ended->abi();
  ended->ReturnedNow();
  std::jthread plugin([kept](const std::stop_token& stop) {
    while (!stop.stop_requested()) End(kept, BERTH_SUCCESS);
  });
  int reused = 0;
  for (int i = 0; i < 5000; ++i) {
    PendingOp* op = PendingOp::Take(7, [](const plugin::Status&) {});
    reused += op == ended ? 1 : 0;
    op->ReturnedNow();
  }
  EXPECT_GE(reused, 1);
}

// A plugin passes its op to the binder and then throws: the reply to the write must not end the call for another pod.
TEST(PendingOp, AnOperationThatTheHostEndsIsNotReusedBefore) {
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

TEST(PendingOp, AnExtraDoneMeetsAnIdleOperation) {
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

TEST(PendingOp, ReturnAndDoneOnTwoThreads) {
  for (int i = 0; i < 300; ++i) {
    std::atomic<int> times{0};
    PendingOp* op = PendingOp::Take(7, [&](plugin::Status) { ++times; });
    std::thread ender([op] { End(op->abi(), BERTH_SUCCESS); });
    op->ReturnedLater();
    ender.join();
    EXPECT_EQ(times, 1);
  }
}

TEST(PendingOp, AnAbandonedOperationResumesWithoutItsPlugin) {
  Heard later, running, done;
  PendingOp* a = PendingOp::Take(7, later.Ear());
  a->ReturnedLater();
  a->Abandon(a->ticket(), plugin::ErrorStatus("enough"));
  EXPECT_EQ(later.times, 1);
  EXPECT_EQ(later.status.Message(), "enough");
  End(a->abi(), BERTH_SUCCESS);
  EXPECT_EQ(later.times, 1);

  PendingOp* b = PendingOp::Take(7, running.Ear());
  b->Abandon(b->ticket(), plugin::ErrorStatus("enough"));
  EXPECT_EQ(running.times, 0) << "its function is still running";
  b->ReturnedLater();
  EXPECT_EQ(running.times, 1);
  EXPECT_EQ(running.status.Message(), "enough");
  End(b->abi(), BERTH_SUCCESS);

  PendingOp* c = PendingOp::Take(7, done.Ear());
  c->Abandon(c->ticket(), plugin::ErrorStatus("enough"));
  End(c->abi(), BERTH_SUCCESS);
  c->ReturnedLater();
  EXPECT_EQ(done.times, 1);
  EXPECT_TRUE(done.status.ok()) << "it was faster";
}

TEST(PendingOp, AbandonAffectsOnlyOneUse) {
  Heard first, second;
  PendingOp* op = PendingOp::Take(7, first.Ear());
  const uint64_t ticket = op->ticket();
  op->ReturnedNow();
  PendingOp* again = nullptr;
  for (int i = 0; i < 5000 && again == nullptr; ++i) {
    PendingOp* other = PendingOp::Take(7, second.Ear());
    if (other == op) again = other;
    if (other != op) other->ReturnedNow();
  }
  ASSERT_NE(again, nullptr) << "the pool gives it out again";
  again->ReturnedLater();
  again->Abandon(ticket, plugin::ErrorStatus("enough"));
  EXPECT_EQ(second.times, 0);
  End(again->abi(), BERTH_SUCCESS);
  EXPECT_EQ(second.times, 1);
}

}  // namespace
}  // namespace berth::bind
