#include "scheduler/queue/backoff.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

constexpr int64_t kS = base::kSecond;
constexpr int64_t kMax64 = std::numeric_limits<int64_t>::max();

TEST(BackoffQueue, calculateBackoffDuration) {
  struct Case {
    const char* name;
    int64_t initial, max;
    uint32_t count;
    int64_t want;
  };
  const Case cases[] = {
      {.name = "no backoff", .initial = 1, .max = 32, .count = 0, .want = 0},
      {.name = "normal", .initial = 3, .max = 1000, .count = 5, .want = 48},
      {.name = "hitting max backoff duration", .initial = 1, .max = 32, .count = 16, .want = 32},
      {.name = "overflow_32bit",
       .initial = 1,
       .max = std::numeric_limits<int32_t>::max(),
       .count = 32,
       .want = std::numeric_limits<int32_t>::max()},
      {.name = "overflow_64bit", .initial = 1, .max = kMax64, .count = 64, .want = kMax64},
      {.name = "beyond every shift", .initial = 1, .max = kMax64, .count = 4'000'000'000u, .want = kMax64},
      {.name = "no initial backoff", .initial = 0, .max = 10, .count = 100, .want = 0},
      {.name = "first", .initial = kS, .max = 10 * kS, .count = 1, .want = kS},
      {.name = "fourth", .initial = kS, .max = 10 * kS, .count = 4, .want = 8 * kS},
      {.name = "fifth is cut", .initial = kS, .max = 10 * kS, .count = 5, .want = 10 * kS},
      {.name = "max not a power", .initial = kS, .max = 9 * kS, .count = 4, .want = 8 * kS},
  };
  for (const Case& c : cases) EXPECT_EQ(BackoffRule(c.initial, c.max, true).Duration(c.count), c.want) << c.name;
}

TEST(BackoffQueue, getBackoffTime) {
  struct Case {
    const char* name;
    int64_t initial, max;
    uint32_t unschedulable, errors;
    int64_t cached, want;
  };
  const Case cases[] = {
      {.name = "no backoff",
       .initial = kS,
       .max = 32 * kS,
       .unschedulable = 0,
       .errors = 0,
       .cached = BERTH_NO_TIME,
       .want = BERTH_NO_TIME},
      {.name = "backoff is returned from the cache",
       .initial = kS,
       .max = 32 * kS,
       .unschedulable = 1,
       .errors = 0,
       .cached = kStart + 1,
       .want = kStart + 1},
      {.name = "backoff by UnschedulableCount",
       .initial = kS,
       .max = 32 * kS,
       .unschedulable = 16,
       .errors = 0,
       .cached = BERTH_NO_TIME,
       .want = kStart + 32 * kS},
      {.name = "backoff is calculated with ConsecutiveErrorsCount",
       .initial = kS,
       .max = 32 * kS,
       .unschedulable = 5,
       .errors = 16,
       .cached = BERTH_NO_TIME,
       .want = kStart + 32 * kS},
      {.name = "zero maxBackoffDuration means no backoff",
       .initial = 0,
       .max = 0,
       .unschedulable = 16,
       .errors = 0,
       .cached = BERTH_NO_TIME,
       .want = BERTH_NO_TIME},
      {.name = "the end of time",
       .initial = kMax64,
       .max = kMax64,
       .unschedulable = 1,
       .errors = 0,
       .cached = BERTH_NO_TIME,
       .want = kMax64 / kS * kS},
  };
  PodPool pool;
  for (const Case& c : cases) {
    QueuedPodPtr pod = pool.Make({}, kStart);
    pod->unschedulable_count = c.unschedulable;
    pod->consecutive_errors_count = c.errors;
    pod->backoff_expiration = c.cached;
    EXPECT_EQ(BackoffRule(c.initial, c.max, true).Expiration(*pod), c.want) << c.name;
  }
}

TEST(BackoffQueue, TimesAreCutToSecondsWithPopFromBackoffQ) {
  PodPool pool;
  QueuedPodPtr pod = pool.Make({}, kStart + 900 * base::kMillisecond);
  pod->unschedulable_count = 1;
  const BackoffRule aligned(kS, 10 * kS, true);
  EXPECT_EQ(aligned.Expiration(*pod), kStart + kS);
  EXPECT_TRUE(aligned.IsBackingOff(*pod, kStart + kS));
  EXPECT_TRUE(aligned.IsBackingOff(*pod, kStart + 2 * kS - 1));
  EXPECT_FALSE(aligned.IsBackingOff(*pod, kStart + 2 * kS));
  EXPECT_EQ(aligned.ReadyAt(kStart + kS), kStart + 2 * kS);

  pod->backoff_expiration = BERTH_NO_TIME;
  const BackoffRule exact(kS, 10 * kS, false);
  EXPECT_EQ(exact.Expiration(*pod), kStart + 1900 * base::kMillisecond);
  EXPECT_TRUE(exact.IsBackingOff(*pod, kStart + 1900 * base::kMillisecond));
  EXPECT_FALSE(exact.IsBackingOff(*pod, kStart + 1900 * base::kMillisecond + 1));
  EXPECT_EQ(exact.ReadyAt(kStart), kStart + 1);

  EXPECT_EQ(aligned.Align(-1), -kS);  // down, also before 1970
  EXPECT_EQ(aligned.Align(-kS), -kS);
}

class BackoffQueueTest : public ::testing::Test {
 protected:
  // rejected: by a plugin; otherwise the attempt failed with an error.
  QueuedPod& Pod(const std::string& name, int64_t timestamp, bool rejected, int32_t priority = 0) {
    pods_.push_back(pool_.Make(MakePod({.name = name, .priority = priority}), timestamp));
    QueuedPod& pod = *pods_.back();
    if (rejected) {
      pod.unschedulable_count = 1;
      pod.unschedulable_plugins.Insert(Id("plugin"));
    } else {
      pod.consecutive_errors_count = 1;
    }
    return pod;
  }
  std::vector<std::string> PopCompleted(BackoffQueue& queue) {
    std::vector<QueuedPod*> popped;
    std::vector<std::string> names;
    queue.PopAllCompleted(kStart, popped);
    for (const QueuedPod* pod : popped) {
      EXPECT_EQ(pod->place(), Place::kNone);
      names.emplace_back(pod->pod->name());
    }
    return names;
  }
  void Drain(BackoffQueue& queue) {
    for (QueuedPodPtr& pod : pods_) {
      if (pod->place() != Place::kNone) queue.Remove(*pod);
    }
    EXPECT_EQ(queue.size(), 0u);
  }
  PodPool pool_;
  std::vector<QueuedPodPtr> pods_;
  FakePolicy policy_;
};

TEST_F(BackoffQueueTest, popAllBackoffCompleted) {
  struct Case {
    const char* name;
    std::vector<int> pods;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {.name = "Both queues empty, no pods moved to activeQ"},
      {.name = "Pods only in backoffQ, some pods moved to activeQ", .pods = {0, 1}, .want = {"pod0"}},
      {.name = "Pods only in errorBackoffQ, some pods moved to activeQ", .pods = {2, 3}, .want = {"pod2"}},
      {.name = "Pods in both queues, some pods moved to activeQ", .pods = {0, 1, 2, 3}, .want = {"pod0", "pod2"}},
      {.name = "Pods in both queues, all pods moved to activeQ", .pods = {0, 2}, .want = {"pod0", "pod2"}},
      {.name = "Pods in both queues, no pods moved to activeQ", .pods = {1, 3}},
  };
  for (const bool aligned : {true, false}) {
    const BackoffRule rule(kS, 10 * kS, aligned);
    for (const Case& c : cases) {
      pods_.clear();
      Pod("pod0", kStart - 2 * kS, true);
      Pod("pod1", kStart + kS, true);
      Pod("pod2", kStart - 2 * kS, false);
      Pod("pod3", kStart + kS, false);
      BackoffQueue queue(rule, policy_);
      for (const int i : c.pods) queue.Add(*pods_[static_cast<size_t>(i)]);
      EXPECT_EQ(PopCompleted(queue), c.want) << c.name << aligned;
      EXPECT_EQ(queue.size(), c.pods.size() - c.want.size()) << c.name << aligned;
      Drain(queue);
    }
  }
}

TEST_F(BackoffQueueTest, Ordering) {
  Pod("pod0", kStart, true, 1);
  Pod("pod1", kStart - kS, true, 1);
  Pod("pod2", kStart - 2 * kS + base::kMillisecond, true, 2);
  Pod("pod3", kStart - 2 * kS, true, 1);
  Pod("pod4", kStart - 2 * kS, true, 2);
  Pod("pod5", kStart - 3 * kS, true, 1);
  const std::pair<bool, std::vector<std::string>> cases[] = {
      {true, {"pod5", "pod4", "pod2", "pod3"}},  // priority orders pods of the same second
      {false,
       {"pod5", "pod3", "pod4", "pod2"}},  // priority doesn't matter; as upstream, with the expirations from above
  };
  for (const auto& [aligned, want] : cases) {
    const BackoffRule rule(kS, 10 * kS, aligned);
    BackoffQueue queue(rule, policy_);
    for (QueuedPodPtr& pod : pods_) queue.Add(*pod);
    EXPECT_EQ(queue.FirstExpiration(), kStart - 2 * kS);
    EXPECT_EQ(PopCompleted(queue), want) << aligned;
    Drain(queue);
  }
}

TEST_F(BackoffQueueTest, ErrorBackoffIsNotPoppedEarly) {
  const BackoffRule rule(kS, 10 * kS, true);
  BackoffQueue queue(rule, policy_);
  queue.Add(Pod("error", kStart - 100 * kS, false));
  EXPECT_EQ(queue.PopBackoff(), nullptr);
  QueuedPod& rejected = Pod("rejected", kStart + 100 * kS, true);
  queue.Add(rejected);
  EXPECT_EQ(rejected.place(), Place::kBackoff);
  EXPECT_EQ(queue.FirstExpiration(), kStart - 99 * kS);
  EXPECT_EQ(queue.PopBackoff(), &rejected);
  EXPECT_EQ(queue.PopBackoff(), nullptr);
  EXPECT_EQ(queue.size(), 1u);
  Drain(queue);
}

}  // namespace
}  // namespace berth::queue
