// Tasks of an instance: run once by the scheduling thread, or let go once when the instance ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/tasks.hpp"
#include "ports.h"

namespace berth::plugin {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// As the C table has it: which of the two came, and how often.
struct Counts {
  int ran = 0, let_go = 0;
  static void Count(void* arg, int32_t run) {
    ++(run != 0 ? static_cast<Counts*>(arg)->ran : static_cast<Counts*>(arg)->let_go);
  }
};

struct TaskService : testing::Test, World {
  const berth_tasks& table() {
    return *static_cast<const berth_tasks*>(host().raw()->service(host().raw(), BERTH_SERVICE_TASKS));
  }
  Counts counts;
};

TEST_F(TaskService, RunsOnceWhenItsTimeHasCome) {
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
  EXPECT_EQ(counts.let_go, 0);
}

TEST_F(TaskService, IsLetGoWhenTheInstanceEndsFirst) {
  table().post(host().raw(), 5, Counts::Count, &counts);
  instance.reset();
  EXPECT_EQ(counts.let_go, 1);
  tasks.RunAll();  // finds nobody
  EXPECT_EQ(counts.ran, 0);
  EXPECT_EQ(counts.let_go, 1);
}

TEST_F(TaskService, WithoutASchedulingThreadWaitsForTheEnd) {
  services.tasks = nullptr;
  table().post(host().raw(), 0, Counts::Count, &counts);
  EXPECT_EQ(counts.let_go, 0);
  EXPECT_EQ(table().activate(host().raw(), {"waits", 5}), 0);
  instance.reset();
  EXPECT_EQ(counts.let_go, 1);
}

TEST_F(TaskService, ThatBreaksIsAFault) {
  table().post(
      host().raw(), 0, [](void*, int32_t) { throw std::runtime_error("oh"); }, nullptr);
  tasks.RunAll();
  EXPECT_EQ(instance->faults(), 1u);
}

TEST_F(TaskService, OfAQuarantinedInstanceIsLetGo) {
  Restart({.quarantine_after = 1});
  table().post(host().raw(), 0, Counts::Count, &counts);
  instance->Fault("a test", "broke");
  ASSERT_TRUE(instance->quarantined());
  tasks.RunAll();
  EXPECT_EQ(counts.ran, 0);
  EXPECT_EQ(counts.let_go, 1);
  instance.reset();
  EXPECT_EQ(counts.let_go, 1);
}

TEST_F(TaskService, ActivatesAndTellsTheTime) {
  EXPECT_EQ(table().activate(host().raw(), {"waits", 5}), 1);
  EXPECT_EQ(table().activate(host().raw(), {"other", 5}), 0);
  EXPECT_THAT(tasks.activated, ElementsAre("waits", "other"));
  EXPECT_EQ(table().wall_unix_ns(host().raw()), 42);
}

TEST_F(TaskService, ThroughTheLayer) {
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
