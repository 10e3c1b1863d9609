// Tasks of an instance: each runs once on the scheduling thread, or is released once when the instance ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/tasks.hpp"
#include "ports.h"

namespace berth::plugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// How often a task ran, and how often the host released it.
struct Counts {
  int ran = 0, released = 0;
  static void Count(void* arg, int32_t run) {
    ++(run != 0 ? static_cast<Counts*>(arg)->ran : static_cast<Counts*>(arg)->released);
  }
};

struct TaskService : testing::Test, World {
  const berth_tasks& table() {
    return *static_cast<const berth_tasks*>(host().raw()->service(host().raw(), BERTH_SERVICE_TASKS));
  }
  Counts counts;
};

TEST_F(TaskService, RunsOnceWhenDue) {
  table().post(host().raw(), 5, Counts::Count, &counts);
  table().post(host().raw(), -5, Counts::Count, &counts);
  ASSERT_EQ(tasks.posted.size(), 2u);
  EXPECT_EQ(tasks.posted[0].first, 5);
  EXPECT_EQ(tasks.posted[1].first, 0);
  auto again = tasks.posted[0].second;
  tasks.RunAll();
  EXPECT_EQ(counts.ran, 2);
  again();
  EXPECT_EQ(counts.ran, 2);
  instance.reset();
  EXPECT_EQ(counts.released, 0);
}

TEST_F(TaskService, IsReleasedWhenTheInstanceEndsFirst) {
  table().post(host().raw(), 5, Counts::Count, &counts);
  instance.reset();
  EXPECT_EQ(counts.released, 1);
  tasks.RunAll();  // the instance has ended
  EXPECT_EQ(counts.ran, 0);
  EXPECT_EQ(counts.released, 1);
}

TEST_F(TaskService, WithoutASchedulingThreadWaitsForTheEnd) {
  RestartWith({.api = &api});
  table().post(host().raw(), 0, Counts::Count, &counts);
  EXPECT_EQ(counts.released, 0);
  EXPECT_EQ(table().activate(host().raw(), {"waits", 5}), 0);
  instance.reset();
  EXPECT_EQ(counts.released, 1);
}

TEST_F(TaskService, ThatThrowsIsAFault) {
  table().post(
      host().raw(), 0, [](void*, int32_t) { throw std::runtime_error("oh"); }, nullptr);
  tasks.RunAll();
  EXPECT_EQ(instance->faults(), 1u);
}

TEST_F(TaskService, OfAQuarantinedInstanceIsReleased) {
  Restart({.quarantine_after = 1});
  table().post(host().raw(), 0, Counts::Count, &counts);
  instance->Fault("a test", "broke");
  ASSERT_TRUE(instance->quarantined());
  tasks.RunAll();
  EXPECT_EQ(counts.ran, 0);
  EXPECT_EQ(counts.released, 1);
  instance.reset();
  EXPECT_EQ(counts.released, 1);
}

TEST_F(TaskService, ActivatesAndReturnsTheTime) {
  EXPECT_EQ(table().activate(host().raw(), {"waits", 5}), 1);
  EXPECT_EQ(table().activate(host().raw(), {"other", 5}), 0);
  EXPECT_THAT(tasks.activated, ElementsAre("waits", "other"));
  EXPECT_EQ(table().wall_unix_ns(host().raw()), 42);
}

TEST_F(TaskService, ThroughTheCppSdk) {
  const sdk::Tasks posts(host());
  int ran = 0;
  auto held = std::make_shared<int>(0);
  posts.Post(std::chrono::seconds(1), [&ran, held] { ++ran; });
  posts.Post([held] {});
  EXPECT_EQ(tasks.posted[0].first, base::kSecond);
  tasks.posted.pop_back();
  tasks.RunAll();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(held.use_count(), 2);
  instance.reset();
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace berth::plugin
