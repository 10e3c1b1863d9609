#include "scheduler/bind/open_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/log/capture.h"
#include "telemetry/log/log.h"
#include "test_scheduler.h"

namespace berth::bind {
namespace {

using base::kSecond;
using testing::Each;
using testing::HasSubstr;
using testing::SizeIs;

class OpenOperationsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(log::Init({"test", 0, "", false}));
    auto set = fixture::BuildSet({{.faults = {.op_deadline_ns = 60 * kSecond}}}, services_);
    ASSERT_TRUE(set) << set.error().message;
    set_ = *set;
    plugin_ = set_->profiles.front()->Find(intern_.ids.Find("A"));
  }
  // An operation whose call has returned LATER; its outcome is appended to outcomes_.
  PendingOp* Later(const char* point = "PreBind") {
    PendingOp* op = PendingOp::Take(plugin_->name_id(),
                                    [this](const plugin::Status& status) { outcomes_.push_back(status.Message()); });
    operations_.Begin({plugin_, point, fixture::MakePod(intern_, "p"), op, op->ticket()});
    op->ReturnedLater();
    return op;
  }

  api::InternTables intern_;
  plugin::Services services_{intern_};
  std::shared_ptr<framework::ProfileSet> set_;
  plugin::Instance* plugin_ = nullptr;
  base::VirtualClock clock_{0};
  OpenOperations operations_{clock_};
  std::vector<std::string> outcomes_;
};

TEST_F(OpenOperationsTest, TheOldestOfEachPluginAndPointIsKnown) {
  const uint64_t first = operations_.Begin({plugin_, "PreBind", fixture::MakePod(intern_, "p"), nullptr, 0});
  clock_.Advance(3 * kSecond);
  operations_.Begin({plugin_, "PreBind", fixture::MakePod(intern_, "q"), nullptr, 0});
  clock_.Advance(4 * kSecond);
  ASSERT_THAT(operations_.Counts(), SizeIs(1));
  EXPECT_EQ(operations_.Counts()[0].plugin, "A");
  EXPECT_EQ(operations_.Counts()[0].open, 2u);
  EXPECT_EQ(operations_.Counts()[0].oldest_ns, 7 * kSecond);
  EXPECT_EQ(operations_.NextDeadline(), 60 * kSecond);
  operations_.End(first);
  EXPECT_EQ(operations_.Counts()[0].oldest_ns, 4 * kSecond);
  EXPECT_EQ(operations_.NextDeadline(), 63 * kSecond);
}

TEST_F(OpenOperationsTest, OnlyOverdueOperationsExpire) {
  PendingOp* early = Later();
  clock_.Advance(10 * kSecond);
  Later();
  operations_.Expire(60 * kSecond - 1);
  EXPECT_THAT(outcomes_, SizeIs(0));
  operations_.Expire(60 * kSecond);
  ASSERT_THAT(outcomes_, SizeIs(1));
  EXPECT_EQ(outcomes_[0], "plugin \"A\" kept an operation for longer than faults.opDeadline (1m0s) in PreBind");
  EXPECT_EQ(plugin_->faults(), 1u);
  EXPECT_EQ(operations_.NextDeadline(), 70 * kSecond);
  early->abi()->done(early->abi(), BERTH_SUCCESS, nullptr, 0);
  EXPECT_THAT(outcomes_, SizeIs(1)) << "a late end changes nothing";
}

TEST_F(OpenOperationsTest, EndedOperationsAndThoseOfTheHostDoNotExpire) {
  PendingOp* ended = Later();
  ended->abi()->done(ended->abi(), BERTH_SUCCESS, nullptr, 0);
  PendingOp* handed_on = Later("Bind");
  PendingOp::HeldByHost(handed_on->abi());  // as a thread of the plugin does after LATER
  operations_.Expire(100 * kSecond);
  EXPECT_THAT(outcomes_, SizeIs(1));
  EXPECT_EQ(plugin_->faults(), 0u);
  handed_on->abi()->done(handed_on->abi(), BERTH_SUCCESS, nullptr, 0);
  EXPECT_THAT(outcomes_, SizeIs(2));
}

TEST_F(OpenOperationsTest, ReportsEachOnceAndThenEveryHour) {
  Later();
  const log::Capture capture;
  operations_.Report(OpenOperations::kFirstReportNs - 1);
  EXPECT_THAT(capture.Messages(), SizeIs(0));
  operations_.Report(OpenOperations::kFirstReportNs);
  operations_.Report(OpenOperations::kFirstReportNs + kSecond);
  EXPECT_THAT(capture.Messages(), SizeIs(1));
  EXPECT_THAT(capture.Messages(), Each(HasSubstr("A plugin has not ended its operation")));
  operations_.Report(OpenOperations::kFirstReportNs + OpenOperations::kReportEveryNs);
  EXPECT_THAT(capture.Messages(), SizeIs(2));
}

TEST_F(OpenOperationsTest, ReportsManyAFewAtATime) {
  for (int i = 0; i < 25; ++i) Later();
  const log::Capture capture;
  for (const size_t told : {10u, 20u, 25u, 25u}) {
    operations_.Report(OpenOperations::kFirstReportNs);
    EXPECT_THAT(capture.Messages(), SizeIs(told));
  }
}

}  // namespace
}  // namespace berth::bind
