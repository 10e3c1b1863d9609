#include "scheduler/queue/in_flight.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

std::vector<std::string> Since(const InFlightList& list, std::string_view uid) {
  std::vector<std::string> labels;
  EXPECT_TRUE(list.ForEachEventSince(uid, [&](const InFlightList::Entry& entry) {
    labels.push_back(entry.event.Label());
    return true;
  }));
  return labels;
}

TEST(InFlight, EventsAreRemovedWithTheLastPodThatNeedsThem) {
  FakeObserver observer;
  InFlightList list(observer);
  const api::PodRef a = MakePod({.name = "a"}), b = MakePod({.name = "b"});
  EXPECT_TRUE(list.Add(a));
  list.Record(kNodeAdd, {});
  EXPECT_TRUE(list.Add(b));
  list.Record(kPvAdd, {});
  EXPECT_FALSE(list.Add(a));
  EXPECT_EQ(Since(list, a->uid()), (std::vector<std::string>{"NodeAdd", "PersistentVolumeAdd"}));
  EXPECT_EQ(Since(list, b->uid()), (std::vector<std::string>{"PersistentVolumeAdd"}));
  EXPECT_FALSE(list.ForEachEventSince("unknown", [](const auto&) { return true; }));

  list.Done(b->uid());
  list.Done(b->uid());
  EXPECT_EQ(list.n_pods(), 1u);
  EXPECT_EQ(list.n_events(), 2u);
  EXPECT_TRUE(list.Check());
  list.Done(a->uid());
  EXPECT_EQ(list.n_pods(), 0u);
  EXPECT_EQ(list.n_events(), 0u);
  EXPECT_TRUE(list.Check());
  for (const auto& [label, n] : observer.in_flight_events) EXPECT_EQ(n, 0) << label;
}

TEST(InFlight, EventsOwnTheirObjects) {
  FakeObserver observer;
  InFlightList list(observer);
  list.Add(MakePod({.name = "a"}));
  {
    const std::string resource = "widgets.v1.example.com.long.enough.for.the.heap";
    list.Record({resource, BERTH_ACTION_ADD, {}}, {.old_pod = {}, .new_pod = MakePod({.name = "object"})});
  }
  list.ForEachEventSince("ans1", [](const InFlightList::Entry& entry) {
    EXPECT_EQ(entry.event.resource, "widgets.v1.example.com.long.enough.for.the.heap");
    EXPECT_EQ(entry.objects.new_pod->name(), "object");
    return true;
  });
}

TEST(InFlight, DoneRemovesManyEvents) {
  FakeObserver observer;
  InFlightList list(observer);
  for (int round = 0; round < 2; ++round) {
    list.Add(MakePod({.name = "slow"}));
    for (int i = 0; i < 20'000; ++i) list.Record(kNodeAdd, {});
    EXPECT_EQ(list.n_events(), 20'000u);
    EXPECT_TRUE(list.Check());
    list.DoneAll();
    EXPECT_EQ(list.n_events(), 0u);
    EXPECT_TRUE(list.Check());
  }
}

// active_queue_test.go
TEST(InFlight, Close) {
  FakeObserver observer;
  InFlightList list(observer);
  list.Add(MakePod({.name = "p1"}));
  list.Add(MakePod({.name = "p2"}));
  list.Record(kNodeAdd, {});
  list.Record(kCsiNodeUpdate, {});
  EXPECT_EQ(list.n_events(), 2u);
  EXPECT_EQ(list.n_pods(), 2u);
  list.DoneAll();
  EXPECT_EQ(list.n_events(), 0u);
  EXPECT_EQ(list.n_pods(), 0u);
}

}  // namespace
}  // namespace berth::queue
