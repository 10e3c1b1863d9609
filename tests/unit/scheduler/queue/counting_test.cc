// The calls of the observer, and the counts: the metric tests of scheduling_queue_test.go.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Counters = std::map<std::string, int>;
constexpr int64_t kS = base::kSecond;

class CountingTest : public QueueTest {
 protected:
  void ExpectCounts(size_t active, size_t backoff, size_t unschedulable, size_t gated) {
    const QueueCounts counts = queue_->counts();
    EXPECT_EQ(counts.active, active);
    EXPECT_EQ(counts.backoff, backoff);
    EXPECT_EQ(counts.unschedulable, unschedulable);
    EXPECT_EQ(counts.gated, gated);
    ExpectSound();
  }
};

TEST_F(CountingTest, IncomingPodsMetrics) {
  struct Case {
    const char* name;
    std::function<void()> act;
    Counters want;
  };
  std::vector<api::PodRef> pods;
  for (int i = 1; i <= 3; ++i) pods.push_back(MakePod({.name = "test-pod-" + std::to_string(i)}));
  const auto fail_all = [&](std::initializer_list<std::string_view> plugins) {
    for (const api::PodRef& pod : pods) AddAndFail(pod, plugins);
  };
  const Case cases[] = {
      {"add pods to activeQ",
       [&] {
         for (const api::PodRef& pod : pods) queue_->Add(pod);
       },
       {{"active,UnschedulablePodAdd", 3}}},
      {"add pods to unschedulablePods",
       [&] { fail_all({"plugin"}); },
       {{"active,UnschedulablePodAdd", 3}, {"unschedulable,ScheduleAttemptFailure", 3}}},
      {"add pods to unschedulablePods and then move all to backoffQ",
       [&] {
         fail_all({"plugin"});
         Move(kEventUnschedulableTimeout);
       },
       {{"active,UnschedulablePodAdd", 3},
        {"unschedulable,ScheduleAttemptFailure", 3},
        {"backoff,UnschedulableTimeout", 3}}},
      {"add pods to unschedulablePods and then move all to activeQ",
       [&] {
         fail_all({"plugin"});
         clock.Advance(3 * kS);
         Move(kEventUnschedulableTimeout);
       },
       {{"active,UnschedulablePodAdd", 3},
        {"unschedulable,ScheduleAttemptFailure", 3},
        {"active,UnschedulableTimeout", 3}}},
      {"add them to backoffQ, then flush backoffQ",
       [&] {
         fail_all({});
         clock.Advance(3 * kS);
         queue_->FlushBackoffCompleted(clock.WallUnixNs());
       },
       {{"active,UnschedulablePodAdd", 3}, {"backoff,ScheduleAttemptFailure", 3}, {"active,BackoffComplete", 3}}},
      {"pop from backoffQ",
       [&] {
         fail_all({"plugin"});
         Move(kEventUnschedulableTimeout);
         PopName();
       },
       {{"active,UnschedulablePodAdd", 3},
        {"unschedulable,ScheduleAttemptFailure", 3},
        {"backoff,UnschedulableTimeout", 3},
        {"active,PopFromBackoffQ", 1}}},
  };
  for (const Case& c : cases) {
    Make();
    observer.incoming.clear();
    c.act();
    EXPECT_EQ(observer.incoming, c.want) << c.name;
    queue_.reset();
  }
  Make();
}

TEST_F(CountingTest, SchedulerPodsMetric) {
  policy.AddPreEnqueue("preEnqueuePlugin", AllowLabels({"queueable"}));
  policy.Register("preEnqueuePlugin", {"Pod", BERTH_ACTION_UPDATE, {}}, Hint::kQueue);
  Make();
  std::vector<api::PodRef> gated;
  for (int i = 0; i < 10; ++i) {
    gated.push_back(MakePod({.name = "y-" + std::to_string(i), .label = "failme"}));
    queue_->Add(gated.back());
  }
  ExpectCounts(0, 0, 0, 10);
  for (int i = 0; i < 20; ++i) {
    AddAndFail(MakePod({.name = "x-" + std::to_string(i), .label = "queueable"}), {"preEnqueuePlugin"});
  }
  for (int i = 20; i < 50; ++i) queue_->Add(MakePod({.name = "x-" + std::to_string(i), .label = "queueable"}));
  ExpectCounts(30, 0, 20, 10);
  for (int i = 0; i < 5; ++i) {
    queue_->Update(gated[static_cast<size_t>(i)], MakePod({.name = "y-" + std::to_string(i), .label = "queueable"}));
  }
  ExpectCounts(35, 0, 20, 5);  // no backoff: they were never tried
  queue_->Delete(*gated[9]);
  ExpectCounts(35, 0, 20, 4);
  clock.Advance(3 * kS);
  Move(kEventUnschedulableTimeout);
  ExpectCounts(55, 0, 0, 4);
}

TEST_F(CountingTest, GatedMetricFollowsThePlugin) {
  for (const bool pop_from_backoff : {true, false}) {
    for (const bool backing_off : {true, false}) {
      policy = FakePolicy();
      policy.AddPreEnqueue("gate", [](const api::Pod&) { return true; });
      policy.Register("gate", {"Pod", BERTH_ACTION_UPDATE, {}}, Hint::kQueue);
      Make({.pop_from_backoff_q = pop_from_backoff});
      const api::PodRef a = MakePod({.name = "x"}), b = MakePod({.name = "x"});
      AddAndFail(a, {"gate"});
      ExpectCounts(0, 0, 1, 0);
      if (!backing_off) clock.Advance(3 * kS);
      policy.SetPreEnqueue("gate", [](const api::Pod&) { return false; });
      queue_->Update(a, b);
      if (!pop_from_backoff && backing_off) {
        ExpectCounts(0, 1, 0, 0);  // gated when the backoff is over
        continue;
      }
      ExpectCounts(0, 0, 0, 1);
      policy.SetPreEnqueue("gate", [](const api::Pod&) { return true; });
      queue_->Update(b, a);
      backing_off ? ExpectCounts(0, 1, 0, 0) : ExpectCounts(1, 0, 0, 0);
    }
  }
}

TEST_F(CountingTest, UnschedulablePodsMetric) {
  using Expected = std::pair<int, int>;
  const api::PodRef pod = MakePod({.name = "podA"});
  bool open1 = true, open2 = true;
  const auto run = [&](const std::function<void()>& steps) {
    policy = FakePolicy();
    policy.AddPreEnqueue("plugin1", [&](const api::Pod&) { return open1; });
    policy.AddPreEnqueue("plugin2", [&](const api::Pod&) { return open2; });
    const api::ClusterEvent any{"*", BERTH_ACTION_ALL, {}};
    policy.Register("plugin1", any, Hint::kQueue);
    policy.Register("plugin2", any, Hint::kQueue);
    observer.unschedulable.clear();
    open1 = open2 = true;
    Make();
    steps();
    ExpectSound();
    return Expected{observer.unschedulable["plugin1"], observer.unschedulable["plugin2"]};
  };
  const auto move = [&] { Move(kEventUnschedulableTimeout); };
  const auto gate_twice = [&] {
    open1 = false;
    queue_->Add(pod);
    open1 = true;
    open2 = false;
    move();
  };
  EXPECT_EQ(run([&] {
              open1 = false;
              queue_->Add(pod);
              move();
              open1 = true;
              move();
              PopName();
            }),
            Expected(0, 0))
      << "gated, ungated, re-queued, and eventually popped";
  EXPECT_EQ(run([&] {
              open1 = false;
              queue_->Add(pod);
              move();
              queue_->Delete(*pod);
            }),
            Expected(0, 0))
      << "gated and then deleted";
  EXPECT_EQ(run([&] {
              open1 = false;
              queue_->Add(pod);
              move();
            }),
            Expected(1, 0))
      << "gated multiple time by the same plugin";
  EXPECT_EQ(run([&] {
              queue_->Add(pod);
              queue_->Delete(*pod);
            }),
            Expected(0, 0))
      << "non gated pods is added and then deleted";
  EXPECT_EQ(run([&] {
              gate_twice();
              open2 = true;
              move();
              PopName();
            }),
            Expected(0, 0))
      << "gated by two plugins sequentially and then ungated and popped";
  EXPECT_EQ(run([&] {
              gate_twice();
              queue_->Delete(*pod);
            }),
            Expected(0, 0))
      << "gated by two plugins sequentially and then deleted";
  EXPECT_EQ(run(gate_twice), Expected(1, 1)) << "gated by two plugins sequentially";
}

TEST_F(CountingTest, PerPodSchedulingMetrics) {
  Make();
  const api::PodRef pod = MakePod({.name = "test-pod"});
  AddAndFail(pod, {"plugin"});
  clock.Advance(300 * kS + 1);
  queue_->FlushUnschedulableLeftover(clock.WallUnixNs());
  queue_->Update(pod, MakePod({.name = "test-pod"}));
  const QueuedPodPtr popped = queue_->Pop();
  EXPECT_EQ(popped->attempts, 2u);
  EXPECT_EQ(popped->initial_attempt_timestamp, kStart);
}

TEST_F(CountingTest, InFlightEvents) {
  policy.Register("plugin", kNodeAdd, Hint::kQueue);
  Make();
  queue_->Add(MakePod({.name = "a"}));
  queue_->Add(MakePod({.name = "b"}));
  const QueuedPodPtr a = queue_->Pop();
  Move(kNodeAdd);
  const QueuedPodPtr b = queue_->Pop();
  Move(kNodeAdd);
  EXPECT_EQ(observer.in_flight_events, (Counters{{"NodeAdd", 2}, {"PodPopped", 2}}));
  queue_->Done(a->pod->uid());
  EXPECT_EQ(observer.in_flight_events, (Counters{{"NodeAdd", 1}, {"PodPopped", 1}}));
  queue_->Close();
  EXPECT_EQ(observer.in_flight_events, (Counters{{"NodeAdd", 0}, {"PodPopped", 0}}));
}

}  // namespace
}  // namespace berth::queue
