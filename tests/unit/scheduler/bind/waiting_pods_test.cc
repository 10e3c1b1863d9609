#include "scheduler/bind/waiting_pods.h"

#include <gtest/gtest.h>

#include <chrono>

#include "test_scheduler.h"

namespace berth::bind {
namespace {

// Instances of the scripted plugins A and B in two profiles, for gangs over several profiles.
class WaitingPodsTest : public testing::Test {
 protected:
  void SetUp() override {
    auto set = fixture::BuildSet(
        {{.scheduler_name = "one", .plugins = {"A", "B"}}, {.scheduler_name = "two", .plugins = {"A", "B"}}},
        services_);
    ASSERT_TRUE(set) << set.error().message;
    set_ = *set;
    pod_ = fixture::MakePod(intern_, "p");
  }
  plugin::Instance* Plugin(size_t profile, const char* name) {
    return set_->profiles[profile]->Find(intern_.ids.Find(name));
  }
  void Wait(const std::vector<std::pair<plugin::Instance*, int64_t>>& waits) {
    waiting_.Add(pod_, waits, 0);
    waiting_.WaitFor(pod_->uid(), [this](plugin::Status status) { outcome_ = std::move(status); });
  }

  api::InternTables intern_;
  plugin::Services services_{intern_};
  std::shared_ptr<framework::ProfileSet> set_;
  api::PodRef pod_;
  WaitingPods waiting_{intern_.ids};
  std::optional<plugin::Status> outcome_;
};

TEST_F(WaitingPodsTest, EveryPluginThatReturnedWaitMustAllow) {
  Wait({{Plugin(0, "A"), 100}, {Plugin(0, "B"), 200}});
  EXPECT_TRUE(waiting_.Allow(pod_->uid(), *Plugin(0, "B")));
  EXPECT_FALSE(outcome_);
  EXPECT_TRUE(waiting_.Allow(pod_->uid(), *Plugin(0, "A")));
  ASSERT_TRUE(outcome_);
  EXPECT_TRUE(outcome_->ok());
  EXPECT_FALSE(waiting_.Allow(pod_->uid(), *Plugin(0, "A"))) << "it waits no more";
}

// One map for all profiles, as in kube-scheduler: the last pod of a gang may belong to another profile.
TEST_F(WaitingPodsTest, ThePluginOfAnotherProfileMayAllow) {
  Wait({{Plugin(0, "A"), 100}});
  EXPECT_TRUE(waiting_.Allow(pod_->uid(), *Plugin(1, "A")));
  ASSERT_TRUE(outcome_);
  EXPECT_TRUE(outcome_->ok());
}

TEST_F(WaitingPodsTest, TheEarliestDeadlineNamesItsPlugin) {
  Wait({{Plugin(0, "A"), 3 * base::kSecond}, {Plugin(0, "B"), 1500 * base::kMillisecond}});
  EXPECT_EQ(waiting_.NextDeadline(), 1500 * base::kMillisecond);
  waiting_.Expire(1500 * base::kMillisecond - 1);
  EXPECT_FALSE(outcome_);
  waiting_.Expire(10 * base::kSecond);
  ASSERT_TRUE(outcome_);
  EXPECT_EQ(outcome_->Message(), "rejected due to timeout after waiting 1.5s at plugin B");
  EXPECT_EQ(intern_.ids.Text(outcome_->plugin), "B");
}

// The instances that returned WAIT may be retired by then.
TEST_F(WaitingPodsTest, TimesOutAfterItsPluginsAreDestroyed) {
  Wait({{Plugin(0, "A"), base::kSecond}});
  set_.reset();
  waiting_.Expire(base::kSecond);
  ASSERT_TRUE(outcome_);
  EXPECT_EQ(outcome_->Message(), "rejected due to timeout after waiting 1s at plugin A");
}

TEST_F(WaitingPodsTest, ARemovedEntryHasNoDeadline) {
  waiting_.Add(pod_, {{Plugin(0, "A"), 100}}, 0);
  waiting_.Remove(pod_->uid());
  EXPECT_FALSE(waiting_.NextDeadline());
  EXPECT_FALSE(waiting_.Allow(pod_->uid(), *Plugin(0, "A")));
}

TEST_F(WaitingPodsTest, RejectionBeforeTheWaitIsKept) {
  waiting_.Add(pod_, {{Plugin(0, "A"), 100}}, 0);
  EXPECT_TRUE(waiting_.Reject(pod_->uid(), *Plugin(0, "B"), "no room for the gang"));
  waiting_.WaitFor(pod_->uid(), [this](plugin::Status status) { outcome_ = std::move(status); });
  ASSERT_TRUE(outcome_);
  EXPECT_EQ(outcome_->Message(), "no room for the gang");
}

// The engine calls it in every step.
TEST_F(WaitingPodsTest, NextDeadlineIsFastWithManyWaitingPods) {
  constexpr int kWaiting = 5000, kSteps = 100'000;
  std::vector<api::PodRef> pods;
  for (int i = 0; i < kWaiting; ++i) {
    pods.push_back(fixture::MakePod(intern_, "p" + std::to_string(i)));
    waiting_.Add(pods.back(), {{Plugin(0, "A"), base::kSecond + i}, {Plugin(0, "B"), 2 * base::kSecond}}, 0);
  }
  const auto started = std::chrono::steady_clock::now();
  for (int i = 0; i < kSteps; ++i) ASSERT_EQ(waiting_.NextDeadline(), base::kSecond);
  // A scan of all pods would take more than 10 s on any machine.
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(2));
}

TEST_F(WaitingPodsTest, NextDeadlineIgnoresPluginsThatHaveAllowed) {
  const api::PodRef other = fixture::MakePod(intern_, "other");
  waiting_.Add(pod_, {{Plugin(0, "A"), 100}, {Plugin(0, "B"), 300}}, 0);
  waiting_.Add(other, {{Plugin(0, "A"), 200}}, 0);
  EXPECT_EQ(waiting_.NextDeadline(), 100);
  waiting_.Allow(pod_->uid(), *Plugin(0, "A"));
  EXPECT_EQ(waiting_.NextDeadline(), 200);
  waiting_.Reject(other->uid(), *Plugin(0, "A"), "no");
  EXPECT_EQ(waiting_.NextDeadline(), 300) << "a rejected pod has no deadline";
  waiting_.Expire(299);
  EXPECT_EQ(waiting_.NextDeadline(), 300);
  waiting_.Expire(300);
  EXPECT_FALSE(waiting_.NextDeadline());
}

TEST_F(WaitingPodsTest, AddedAgainItHasItsNewDeadlineOnly) {
  waiting_.Add(pod_, {{Plugin(0, "A"), 100}}, 0);
  waiting_.Add(pod_, {{Plugin(0, "A"), 100}}, 50);
  EXPECT_EQ(waiting_.NextDeadline(), 150);
  waiting_.Expire(100);
  EXPECT_EQ(waiting_.NextDeadline(), 150);
  waiting_.RejectAll("the end");
  EXPECT_FALSE(waiting_.NextDeadline());
}

}  // namespace
}  // namespace berth::bind
