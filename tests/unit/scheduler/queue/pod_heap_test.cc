#include "scheduler/queue/pod_heap.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "fixture.h"

namespace berth::queue {
namespace {

struct Less {
  const std::function<bool(const QueuedPod&, const QueuedPod&)>* fn;
  bool operator()(const QueuedPod& a, const QueuedPod& b) const { return (*fn)(a, b); }
};

// attempts is the pod's number, unschedulable_count its sort key.
struct Order {
  const char* name;
  std::function<bool(const QueuedPod&, const QueuedPod&)> less;
  uint64_t hash;               // what Go's container/heap gives for the same operations
  std::vector<uint32_t> pops;  // the first twelve pods that Go's heap popped
};

class PodHeapOrder : public ::testing::TestWithParam<Order> {};

TEST_P(PodHeapOrder, EqualsGosContainerHeap) {
  const Order& order = GetParam();
  PodPool pool;
  std::vector<QueuedPodPtr> all;
  PodHeap<Less> heap(Less{&order.less});
  base::Random random(42);
  uint64_t hash = 0;
  std::vector<uint32_t> pops;
  const auto key = [&] { return static_cast<uint32_t>(random.Next() % 16); };
  for (int step = 0; step < 20000; ++step) {
    const uint64_t r = random.Next() % 100;
    if (r < 50 || heap.empty()) {
      all.push_back(pool.Make({}, 0));
      all.back()->attempts = static_cast<uint32_t>(all.size() - 1);
      all.back()->unschedulable_count = key();
      heap.Push(*all.back());
    } else if (r < 70) {
      const QueuedPod& pod = heap.Pop();
      hash = base::Mix(hash ^ pod.attempts);
      if (pops.size() < 12) pops.push_back(pod.attempts);
    } else if (r < 82) {
      QueuedPod& pod = *heap.pods()[random.Next() % heap.size()];
      heap.Remove(pod);
      hash = base::Mix(hash ^ pod.attempts ^ 0x1000000);
    } else if (r < 98) {
      QueuedPod& pod = *heap.pods()[random.Next() % heap.size()];
      pod.unschedulable_count = key();
      heap.Fix(pod);
    } else if (step % 10 == 0) {
      heap.Init();
    }
    for (const QueuedPod* pod : heap.pods()) ASSERT_TRUE(heap.HasAt(*pod));
  }
  while (!heap.empty()) hash = base::Mix(hash ^ heap.Pop().attempts);
  EXPECT_EQ(pops, order.pops);
  EXPECT_EQ(hash, order.hash);
}

INSTANTIATE_TEST_SUITE_P(
    Golden, PodHeapOrder,
    ::testing::Values(Order{.name = "ties",
                            .less = [](const QueuedPod& a,
                                       const QueuedPod& b) { return a.unschedulable_count < b.unschedulable_count; },
                            .hash = 0x97ce21e4e17a2b15,
                            .pops = {2, 5, 3, 14, 12, 19, 23, 25, 27, 28, 30, 31}},
                      Order{.name = "not_strict",
                            .less = [](const QueuedPod& a,
                                       const QueuedPod& b) { return a.unschedulable_count <= b.unschedulable_count; },
                            .hash = 0x43b2cce5f758629b,
                            .pops = {2, 5, 6, 19, 16, 14, 23, 25, 27, 28, 31, 30}},
                      Order{.name = "cyclic",
                            .less =
                                [](const QueuedPod& a, const QueuedPod& b) {
                                  return (b.unschedulable_count - a.unschedulable_count + 16) % 16 < 8;
                                },
                            .hash = 0xfc37756cebd43d4a,
                            .pops = {2, 5, 6, 19, 22, 21, 23, 24, 27, 31, 9, 34}},
                      Order{.name = "random",
                            .less =
                                [](const QueuedPod& a, const QueuedPod& b) {
                                  return base::Mix(uint64_t{a.attempts} * 31 + b.unschedulable_count) % 2 == 0;
                                },
                            .hash = 0xbffef1ffe5766c4b,
                            .pops = {2, 5, 7, 1, 20, 22, 11, 19, 25, 31, 27, 28}}),
    [](const auto& param) { return std::string(param.param.name); });

TEST(PodHeap, ReplacePutsAnotherPodInItsPlace) {
  const std::function<bool(const QueuedPod&, const QueuedPod&)> less = [](const QueuedPod& a, const QueuedPod& b) {
    return a.attempts < b.attempts;
  };
  PodPool pool;
  QueuedPodPtr a = pool.Make({}, 0), b = pool.Make({}, 0), c = pool.Make({}, 0);
  a->attempts = 1;
  b->attempts = 2;
  c->attempts = 0;
  PodHeap<Less> heap(Less{&less});
  heap.Push(*a);
  heap.Push(*b);
  heap.Replace(*b, *c);
  EXPECT_EQ(&heap.Pop(), c.get());
  EXPECT_EQ(&heap.Pop(), a.get());
  EXPECT_TRUE(heap.empty());
}

}  // namespace
}  // namespace berth::queue
