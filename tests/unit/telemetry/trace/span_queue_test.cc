#include "telemetry/trace/span_queue.h"

#include <gtest/gtest.h>

#include <thread>

namespace berth::trace {
namespace {

using namespace std::chrono_literals;

Span Named(const std::string& name) { return {.name = name}; }

TEST(SpanQueues, AFullQueueDropsNewSpansAndCountsThem) {
  SpanQueue queue(2);
  for (const char* name : {"a", "b", "c", "d"}) queue.Add(Named(name));
  EXPECT_EQ(queue.dropped(), 2u);
  const auto taken = queue.Take(10, 0ns);
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].name, "a");
  EXPECT_EQ(taken[1].name, "b");
  queue.Add(Named("e"));
  EXPECT_EQ(queue.dropped(), 2u);
}

TEST(SpanQueues, ABatchIsLimitedAndTheRestStays) {
  SpanQueue queue;
  for (int i = 0; i < 5; ++i) queue.Add(Named(std::to_string(i)));
  EXPECT_EQ(queue.Take(3, 0ns).size(), 3u);
  const auto rest = queue.Take(3, 0ns);
  ASSERT_EQ(rest.size(), 2u);
  EXPECT_EQ(rest[0].name, "3");
}

TEST(SpanQueues, AFullBatchEndsTheWait) {
  SpanQueue queue;
  std::jthread writer([&] {
    for (int i = 0; i < 3; ++i) queue.Add(Named("x"));
  });
  EXPECT_EQ(queue.Take(3, 1h).size(), 3u);
}

TEST(SpanQueues, AFullQueueEndsTheWaitForALargerBatch) {
  SpanQueue queue(2);
  std::jthread writer([&] {
    for (int i = 0; i < 2; ++i) queue.Add(Named("x"));
  });
  EXPECT_EQ(queue.Take(3, 1h).size(), 2u);
}

TEST(SpanQueues, TheTimeEndsTheWaitWithFewerSpans) {
  SpanQueue queue;
  queue.Add(Named("x"));
  EXPECT_EQ(queue.Take(512, 1ms).size(), 1u);
}

TEST(SpanQueues, CloseEndsTheWait) {
  SpanQueue queue;
  std::jthread closer([&] { queue.Close(); });
  EXPECT_TRUE(queue.Take(512, 1h).empty());
}

}  // namespace
}  // namespace berth::trace
