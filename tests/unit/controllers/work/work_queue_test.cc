#include "controllers/work/work_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::work {
namespace {

using testing::HasSubstr;

constexpr int64_t kMs = base::kMillisecond;

TEST(WorkQueue, HasEachKeyOnceInTheOrderOfArrival) {
  WorkQueue queue;
  for (const char* key : {"a", "b", "a", "c", "b"}) queue.Add(key, 0);
  for (const char* key : {"a", "b", "c"}) EXPECT_EQ(queue.Take(1), key);
  EXPECT_EQ(queue.Take(1), std::nullopt);
}

TEST(WorkQueue, GivesAKeyThatIsTakenOutAgainOnlyAfterDone) {
  WorkQueue queue;
  queue.Add("a", 0);
  EXPECT_EQ(queue.Take(0), "a");
  queue.Add("a", 1);
  queue.Add("a", 2);
  EXPECT_EQ(queue.Take(3), std::nullopt);
  queue.Done("a", 4);
  EXPECT_EQ(queue.Take(5), "a");
  queue.Done("a", 6);
  EXPECT_EQ(queue.Take(7), std::nullopt);
  EXPECT_EQ(queue.taken(), 0u);
}

TEST(WorkQueue, TriesAFailedKeyAgainAfterAGrowingDelay) {
  WorkQueue queue;
  queue.Add("a", 0);
  int64_t now = 0;
  for (const int64_t delay : {5 * kMs, 10 * kMs, 20 * kMs, 40 * kMs}) {
    ASSERT_EQ(queue.Take(now), "a");
    queue.Retry("a", now);
    queue.Done("a", now);
    EXPECT_EQ(queue.NextDue(), now + delay);
    EXPECT_EQ(queue.Take(now + delay - 1), std::nullopt);
    now += delay;
  }
  EXPECT_EQ(queue.Take(now), "a");
  EXPECT_EQ(queue.NextDue(), std::nullopt);
}

TEST(WorkQueue, ForgetsTheFailuresOfAKey) {
  WorkQueue queue;
  for (int i = 0; i < 3; ++i) queue.Retry("a", 0);
  queue.Forget("a");
  EXPECT_EQ(queue.Take(5 * kMs), "a");
  queue.Retry("a", 100 * kMs);
  EXPECT_EQ(queue.NextDue(), 105 * kMs);
}

TEST(WorkQueue, DelaysAMinuteAtMost) {
  RetryDelays delays;
  int64_t last = 0;
  for (int i = 0; i < 100; ++i) last = delays.Next("a");
  EXPECT_EQ(last, 60 * base::kSecond);
  EXPECT_EQ(delays.Next("b"), 5 * kMs);
}

TEST(WorkQueue, AKeyThatIsAddedNeedNotWaitForItsDelay) {
  WorkQueue queue;
  queue.Retry("a", 0);
  queue.Add("a", 1);
  EXPECT_EQ(queue.Take(1), "a");
}

TEST(WorkQueue, ClearKeepsOnlyWhatIsTaken) {
  WorkQueue queue;
  queue.Add("a", 0);
  queue.Add("b", 0);
  queue.Retry("c", 0);
  ASSERT_EQ(queue.Take(0), "a");
  queue.Add("a", 0);
  queue.Clear();
  queue.Done("a", 0);
  EXPECT_EQ(queue.Take(base::kSecond), std::nullopt);
  queue.Add("b", 0);
  EXPECT_EQ(queue.Take(0), "b") << "a key may come again";
}

TEST(WorkQueue, ShowsItsWork) {
  metrics::Registry registry;
  WorkQueue queue{metrics::WorkqueueMetrics(registry, "podgroup")};
  queue.Add("a", 0);
  queue.Add("a", 0);
  queue.Add("b", 0);
  EXPECT_EQ(queue.Take(2 * base::kSecond), "a");
  queue.Measure(5 * base::kSecond);
  const std::string text = registry.Text();
  EXPECT_THAT(text, HasSubstr("workqueue_adds_total{name=\"podgroup\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("workqueue_depth{name=\"podgroup\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("workqueue_queue_duration_seconds_sum{name=\"podgroup\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("workqueue_unfinished_work_seconds{name=\"podgroup\"} 3\n"));
  queue.Retry("a", 6 * base::kSecond);
  queue.Done("a", 6 * base::kSecond);
  queue.Measure(6 * base::kSecond);
  EXPECT_THAT(registry.Text(), HasSubstr("workqueue_work_duration_seconds_sum{name=\"podgroup\"} 4\n"));
  EXPECT_THAT(registry.Text(), HasSubstr("workqueue_retries_total{name=\"podgroup\"} 1\n"));
  EXPECT_THAT(registry.Text(), HasSubstr("workqueue_longest_running_processor_seconds{name=\"podgroup\"} 0\n"));
}

}  // namespace
}  // namespace berth::work
