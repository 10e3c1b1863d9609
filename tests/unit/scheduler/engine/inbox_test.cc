// Many messages do not stop scheduling.
#include <gtest/gtest.h>

#include <vector>

#include "test_scheduler.h"

namespace berth::fixture {
namespace {

constexpr int kMessages = 100'000;
constexpr int64_t kMessageNs = 10'000;  // the time that one message takes

// An engine that reads its inbox in slices. Only messages advance its clock.
class InboxTest : public testing::Test {
 protected:
  InboxTest() {
    ClearScripts();
    BindThroughHost(ScriptOf("A"));
    cluster_.Attach(&engine_);
    auto set = BuildSet({{}}, engine_.services());
    EXPECT_TRUE(set) << set.error().message;
    engine_.SetProfiles(*set);
    cluster_.SetNode(MakeNode(intern_, "n1"));
    ScriptOf("A").pre_bind = [this](Cycle&, const Pod&, Id, sdk::Op&) {
      read_when_bound_.push_back(read_.size());
      return Status::Ok();
    };
  }
  ~InboxTest() override { cluster_.Attach(nullptr); }
  static engine::EngineOptions Options() {
    engine::EngineOptions options;
    options.inbox_slice_ns = base::kMillisecond;
    return options;
  }
  void PostMessages() {
    for (int i = 0; i < kMessages; ++i) {
      engine_.Post(engine::Task([this, i] {
        read_.push_back(i);
        clock_.Advance(kMessageNs);
      }));
    }
  }
  void Step() {
    engine_.Step();
    executor_.RunPending();
  }

  std::vector<int> read_;                // messages, in the order in which they were read
  std::vector<size_t> read_when_bound_;  // by pod: how many messages had been read
  api::InternTables intern_;
  simulation::Cluster cluster_{intern_};
  base::VirtualClock clock_{0};
  bind::InlineExecutor executor_;
  engine::Engine engine_{intern_, clock_, executor_, cluster_, nullptr, Options()};
};

TEST_F(InboxTest, PodsAreTriedBetweenSlices) {
  for (int i = 0; i < 10; ++i) cluster_.SetPod(MakePod(intern_, "p" + std::to_string(i)));
  PostMessages();
  for (int i = 0; i < 20; ++i) Step();
  ASSERT_EQ(read_when_bound_.size(), 10u);
  EXPECT_LT(read_when_bound_.back(), static_cast<size_t>(kMessages) / 10);
}

// Otherwise the inbox would grow without a limit when messages come fast.
TEST_F(InboxTest, ASliceTakesAsLongAsASlowAttempt) {
  ScriptOf("A").pre_filter = [this](Cycle&, const Pod&, sdk::NameSet&) {
    clock_.Advance(20 * base::kMillisecond);
    return Status::Ok();
  };
  for (int i = 0; i < 3; ++i) cluster_.SetPod(MakePod(intern_, "p" + std::to_string(i)));
  PostMessages();
  for (int i = 0; i < 3; ++i) Step();
  ASSERT_EQ(read_when_bound_.size(), 3u);
  EXPECT_GE(read_when_bound_[2] - read_when_bound_[1], 20u * base::kMillisecond / kMessageNs);
  EXPECT_LT(read_when_bound_[2] - read_when_bound_[1], 21u * base::kMillisecond / kMessageNs);
}

TEST_F(InboxTest, MessagesAreReadInOrder) {
  PostMessages();
  for (int i = 0; i < 5; ++i) Step();
  ASSERT_LT(read_.size(), static_cast<size_t>(kMessages));
  engine_.Post(engine::Task([this] { read_.push_back(kMessages); }));
  while (engine_.Step()) {
  }
  ASSERT_EQ(read_.size(), static_cast<size_t>(kMessages) + 1);
  for (int i = 0; i <= kMessages; ++i) ASSERT_EQ(read_[i], i);
}

}  // namespace
}  // namespace berth::fixture
