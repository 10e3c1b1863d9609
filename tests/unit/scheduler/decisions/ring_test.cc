// The ring keeps the newest decisions, and their tables as long as the memory allows.
#include <gtest/gtest.h>

#include "scheduler/decisions/ring.h"

namespace berth::decisions {
namespace {

using Names = std::vector<std::string>;

class RingTest : public testing::Test {
 protected:
  // Records a decision about the pod, with a table of about `bytes`.
  void Record(const std::string& pod, size_t bytes = 0, const std::string& message = "") {
    std::shared_ptr<NodeTable> table;
    if (bytes != 0) {
      table = std::make_shared<NodeTable>();
      table->own_bytes = std::make_unique<Metered>(meter_, bytes);
    }
    ring_.Add({}, {.pod = pod, .uid = "uid-" + pod, .message = message}, {std::move(table), nullptr});
  }
  std::vector<std::string> Pods(uint64_t before = UINT64_MAX) {
    std::vector<std::string> pods;
    ring_.ForEachOf({.before = before}, {}, [&](const std::shared_ptr<const Decision>& one) {
      pods.push_back(one->pod + (one->nodes != nullptr ? "+" : ""));
      return true;
    });
    return pods;
  }

  std::shared_ptr<MemoryMeter> meter_ = std::make_shared<MemoryMeter>();
  Ring ring_{{.decisions = 3, .bytes = 100'000}, meter_};
};

TEST_F(RingTest, IsEmptyAtTheStart) {
  EXPECT_EQ(ring_.Newest(), nullptr);
  EXPECT_EQ(ring_.Find(0), nullptr);
  EXPECT_EQ(ring_.Find(1), nullptr);
  EXPECT_EQ(Pods(), Names{});
}

TEST_F(RingTest, KeepsTheNewest) {
  for (const char* pod : {"a", "b", "c", "d", "e"}) Record(pod);
  EXPECT_EQ(Pods(), (Names{"e", "d", "c"}));
  EXPECT_EQ(Pods(5), (Names{"d", "c"}));
  EXPECT_EQ(ring_.Find(2), nullptr);
  EXPECT_EQ(ring_.Find(3)->pod, "c");
  EXPECT_EQ(ring_.Newest()->pod, "e");
  EXPECT_EQ(ring_.size(), 3u);
}

TEST_F(RingTest, WalksBetweenTwoIdsAndInPieces) {
  for (const char* pod : {"a", "b", "c", "d", "e"}) Record(pod);
  Names pods;
  const auto walk = [&](const IdRange& ids, const Filter& filter = {}, size_t most = SIZE_MAX, bool more = true) {
    pods.clear();
    const auto add = [&](const std::shared_ptr<const Decision>& one) {
      pods.push_back(one->pod);
      return more;
    };
    return ring_.ForEachOf(ids, filter, add, most);
  };
  EXPECT_EQ(walk({.after = 3}), 0u);
  EXPECT_EQ(pods, (Names{"e", "d"}));
  EXPECT_EQ(walk({.after = 3, .before = 5}), 0u);
  EXPECT_EQ(pods, Names{"d"});
  for (const uint64_t after : {uint64_t{5}, UINT64_MAX}) EXPECT_EQ(walk({.after = after}), 0u);
  EXPECT_EQ(walk({.before = 0}), 0u);
  EXPECT_EQ(pods, Names{});
  EXPECT_EQ(walk({}, {.pod = "c"}, 2), 4u) << "3 is left";
  EXPECT_EQ(pods, Names{});
  EXPECT_EQ(walk({.before = 4}, {.pod = "c"}, 2), 0u);
  EXPECT_EQ(pods, Names{"c"});
  EXPECT_EQ(walk({}, {}, SIZE_MAX, false), 5u) << "the function ended the walk";
  EXPECT_EQ(walk({.after = 4}, {}, SIZE_MAX, false), 0u);
}

TEST_F(RingTest, SelectsWithoutCopies) {
  Record("a");
  Record("b", 100);
  Record("a", 100);
  const auto count = [&](const Filter& filter) {
    int n = 0;
    ring_.ForEachOf({}, filter, [&](const std::shared_ptr<const Decision>& one) {
      EXPECT_TRUE(filter.Selects(*one));
      return ++n > 0;
    });
    return n;
  };
  EXPECT_EQ(count({.pod = "a"}), 2);
  EXPECT_EQ(count({.with_nodes = true}), 2);
  EXPECT_EQ(count({.pod = "a", .with_nodes = true}), 1);
  EXPECT_EQ(count({.profile = "other"}), 0);
  EXPECT_EQ(count({.result = Result::kError}), 3);
  EXPECT_EQ(count({.result = Result::kScheduled}), 0);
  EXPECT_EQ(ResultOf("Unschedulable"), Result::kUnschedulable);
  EXPECT_EQ(ResultOf("Bound"), std::nullopt);
}

TEST_F(RingTest, ReturnsWhatWasAdded) {
  const DecisionNumbers numbers{.generation = 7,
                                .started_unix_ns = 8,
                                .cycle_ns = 9,
                                .total_ns = 10,
                                .added_unix_ns = 15,
                                .woken_unix_ns = 16,
                                .permit_wait_ns = 17,
                                .points = {0, 1.5, 2.5},
                                .attempt = 11,
                                .ties = 12,
                                .gated = 18,
                                .evaluated_nodes = 13,
                                .feasible_nodes = 14,
                                .result = Result::kUnschedulable};
  Record("before");
  const auto plugins = std::make_shared<PluginVersions>(PluginVersions{{"A", "1.0.0"}});
  ring_.Add(numbers, {"ns/pod", "uid", "profile", "node", "message", "nominated", "A\nB", "NodeAdd", "A", "Gate"},
            {nullptr, plugins});
  Record("after");
  const auto found = ring_.Find(2);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->id, 2u);
  EXPECT_EQ(found->generation, 7u);
  EXPECT_EQ(found->started_unix_ns, 8);
  EXPECT_EQ(found->cycle_ns, 9);
  EXPECT_EQ(found->total_ns, 10);
  EXPECT_EQ(found->attempt, 11u);
  EXPECT_EQ(found->ties, 12u);
  EXPECT_EQ(found->evaluated_nodes, 13u);
  EXPECT_EQ(found->feasible_nodes, 14u);
  EXPECT_EQ(ResultName(found->result), "Unschedulable");
  EXPECT_EQ(found->pod, "ns/pod");
  EXPECT_EQ(found->uid, "uid");
  EXPECT_EQ(found->profile, "profile");
  EXPECT_EQ(found->node, "node");
  EXPECT_EQ(found->message, "message");
  EXPECT_EQ(found->nominated_node, "nominated");
  EXPECT_EQ(found->rejected_by, (Names{"A", "B"}));
  EXPECT_EQ(found->added_unix_ns, 15);
  EXPECT_EQ(found->woken_unix_ns, 16);
  EXPECT_EQ(found->permit_wait_ns, 17);
  EXPECT_EQ(found->points, (PointMicros{0, 1.5, 2.5}));
  EXPECT_EQ(found->gated, 18u);
  EXPECT_EQ(found->woken_by, "NodeAdd");
  EXPECT_EQ(found->woken_for, "A");
  EXPECT_EQ(found->gate, "Gate");
  EXPECT_EQ(found->plugins, plugins);
  EXPECT_EQ(ring_.Find(1)->rejected_by, Names{});
}

TEST_F(RingTest, FindsTheLastDecisionOfAPod) {
  for (const char* pod : {"a", "b", "a", "c"}) Record(pod);
  EXPECT_EQ(ring_.LastOf("uid-a")->id, 3u);
  EXPECT_EQ(ring_.LastOf("uid-none"), nullptr);
}

TEST_F(RingTest, CutsLongMessages) {
  Record("a", 0, std::string(10'000, 'x'));
  EXPECT_EQ(ring_.Newest()->message, std::string(Ring::kMaxMessage - 4, 'x') + " ...");
}

TEST_F(RingTest, TheOldestTablesGoFirst) {
  Record("a", 40'000);
  Record("b", 40'000);
  EXPECT_EQ(Pods(), (Names{"b+", "a+"}));
  Record("c", 40'000);
  EXPECT_EQ(Pods(), (Names{"c+", "b+", "a"}));
  EXPECT_EQ(ring_.n_tables(), 2u);
}

TEST_F(RingTest, AnEvictedDecisionLosesItsTable) {
  Record("a", 40'000);
  for (const char* pod : {"b", "c", "d"}) Record(pod);
  EXPECT_EQ(ring_.n_tables(), 0u);
  EXPECT_LT(ring_.bytes(), 40'000u);
}

TEST_F(RingTest, AReaderKeepsWhatItHas) {
  Record("a", 60'000);
  const auto held = ring_.Newest();
  Record("b", 60'000);
  EXPECT_EQ(Pods(), (Names{"b", "a"})) << "with what the reader holds, not even one table fits";
  EXPECT_NE(held->nodes, nullptr);
  EXPECT_TRUE(ring_.fits());
  for (const char* pod : {"c", "d", "e"}) Record(pod);
  EXPECT_EQ(held->pod, "a");
}

TEST_F(RingTest, SaysWhenOthersHoldMoreThanTheLimit) {
  auto others = std::make_unique<Metered>(meter_, 200'000);
  Record("a", 1);
  EXPECT_FALSE(ring_.fits());
  EXPECT_EQ(Pods(), Names{"a"}) << "the newest decision stays";
  others.reset();
  Record("b");
  EXPECT_TRUE(ring_.fits());
}

TEST(RingOfManyTest, LongMessagesDoNotExceedTheLimit) {
  auto meter = std::make_shared<MemoryMeter>();
  Ring ring({.decisions = 10'000, .bytes = 1u << 20}, meter);
  const std::string message(5000, 'x');
  for (int i = 0; i < 3000; ++i) ring.Add({}, {.pod = "p", .message = message}, {});
  EXPECT_LE(ring.bytes(), ring.limits().bytes + 2 * 256 * Ring::kMaxMessage);
  EXPECT_GT(ring.size(), 100u);
  EXPECT_EQ(ring.Newest()->id, 3000u);
}

TEST(RingOfManyTest, KeepsAlmostAsManyAsAllowed) {
  Ring ring({.decisions = 1000, .bytes = 64u << 20}, std::make_shared<MemoryMeter>());
  for (int i = 0; i < 5000; ++i) ring.Add({}, {.pod = "p" + std::to_string(i)}, {});
  EXPECT_LE(ring.size(), 1000u);
  EXPECT_GE(ring.size(), 1000u - 1000 / 32);
  EXPECT_EQ(ring.Find(5000)->pod, "p4999");
  EXPECT_EQ(ring.Find(4100)->pod, "p4099");
}

}  // namespace
}  // namespace berth::decisions
