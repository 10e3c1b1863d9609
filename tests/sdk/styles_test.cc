// Node style and batch style of one policy give the same results, for picked and dense rows, and for few and many rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "entries.h"

namespace berth::sdk::testing {
namespace {

using ::testing::IsEmpty;

constexpr Reuse kTotal{.pod = BERTH_POD_LABELS, .row = BERTH_ROW_LABELS, .cluster = BERTH_CLUSTER_NODES, .total = true};

struct NodeStyle {
  static constexpr Info kInfo{.name = "nodeStyle"};
  static constexpr Reuse kFilterReuse = kTotal, kScoreReuse = kTotal;
  static constexpr auto kNormalization = Normalization::kReverse;
  explicit NodeStyle(Host& host) : key(host.Intern("shard")) {}
  Verdict Filter(Cycle& c, const Pod&, Node node) {
    const Id shard = node.view().labels().Get(key);
    if (shard == IdOf("0")) return Verdict::Unschedulable(c.Reasons("shard 0 is closed"));
    if (shard == IdOf("1")) return Verdict::Pending(c.Reasons({"shard 1 is", "not open yet"}));
    return Verdict::Ok();
  }
  int64_t Score(Cycle&, const Pod&, Node node) { return node.row() * 3; }
  Id key;
};

struct BatchStyle {
  static constexpr Info kInfo{.name = "batchStyle"};
  static constexpr Reuse kFilterReuse = kTotal, kScoreReuse = kTotal;
  explicit BatchStyle(Host& host) : host(host), key(host.Intern("shard")) {}
  void Activate() { host.OpenColumn(BERTH_NODE_LABEL, key); }
  Status Filter(Cycle& c, const Pod&, Rows rows, std::span<berth_verdict> out) {
    const auto shards = c.snap().Ids(BERTH_NODE_LABEL, key);
    const Id closed = IdOf("0"), pending = IdOf("1");
    rows.ForEach([&](uint32_t i, uint32_t row) {
      if ((*shards)[row] == closed) out[i] = Verdict::Unschedulable(c.Reasons("shard 0 is closed"));
      if ((*shards)[row] == pending) out[i] = Verdict::Pending(c.Reasons({"shard 1 is", "not open yet"}));
    });
    return Status::Ok();
  }
  Status Score(Cycle&, const Pod&, Rows rows, std::span<int64_t> out) {
    rows.ForEachLive([&](uint32_t i, uint32_t row) { out[i] = row * 3; });
    return Status::Ok();
  }
  Status Normalize(Cycle&, const Pod&, Rows rows, std::span<int64_t> io) {
    int64_t most = 0;
    for (const int64_t score : io) most = std::max(most, score);
    EXPECT_EQ(io.size(), rows.size());
    for (int64_t& score : io) score = 100 - (most == 0 ? 0 : 100 * score / most);
    return Status::Ok();
  }
  Host& host;
  Id key;
};

TEST(StylesTest, BothJudgeAlike) {
  PluginUnderTest node = TestPlugin<NodeStyle>(), batch = TestPlugin<BatchStyle>();
  Texts names;
  for (int i = 0; i < 300; ++i) {
    names.push_back("n" + std::to_string(i));
    const FakeNode one = FakeNode(names.back()).Label("shard", std::to_string(i % 5));
    node.cluster().Add(one);
    batch.cluster().Add(one);
  }
  ASSERT_TRUE(node.Start().ok());
  ASSERT_TRUE(batch.Start().ok());
  {
    const auto by_node = node.Try(FakePod()), by_batch = batch.Try(FakePod());
    std::mt19937 random(7);
    for (const size_t n : {size_t{1}, size_t{2}, size_t{63}, size_t{64}, size_t{65}, size_t{299}, size_t{300}}) {
      std::shuffle(names.begin(), names.end(), random);
      const Texts some(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(n));
      const FilterOutcome filtered = by_node->Filter(some);
      ASSERT_TRUE(filtered.ok());
      EXPECT_EQ(filtered.nodes.size(), n);
      EXPECT_EQ(filtered.nodes, by_batch->Filter(some).nodes);
      const Scores scores = by_node->Score(some).nodes;
      EXPECT_EQ(scores, by_batch->Score(some).nodes);
      EXPECT_EQ(by_node->Normalize(scores).nodes, by_batch->Normalize(scores).nodes);
    }
    EXPECT_EQ(by_node->FilterInParallel(4).nodes, by_batch->Filter().nodes);
    EXPECT_EQ(by_node->Filter({"n5"}).nodes.at("n5"), (Outcome{BERTH_UNSCHEDULABLE, {"shard 0 is closed"}}));
    EXPECT_EQ(by_node->Filter({"n6"}).nodes.at("n6"), (Outcome{BERTH_PENDING, {"shard 1 is", "not open yet"}}));
  }
  EXPECT_THAT(node.Violations(), IsEmpty());
  EXPECT_THAT(batch.Violations(), IsEmpty());
}

TEST(StylesTest, TablesSayWhatTheClassDeclares) {
  PluginUnderTest node = TestPlugin<NodeStyle>(), batch = TestPlugin<BatchStyle>();
  ASSERT_TRUE(node.Start().ok());
  ASSERT_TRUE(batch.Start().ok());
  const auto& filter = *node.Extension<berth_filter>(BERTH_POINT_FILTER);
  EXPECT_EQ(filter.size, sizeof(berth_filter));
  EXPECT_EQ(filter.reuse.flags, BERTH_REUSE | BERTH_TOTAL);
  EXPECT_EQ(filter.reuse.pod_aspects, BERTH_POD_LABELS);
  EXPECT_EQ(filter.reuse.row_aspects, BERTH_ROW_LABELS);
  EXPECT_EQ(filter.reuse.cluster_aspects, BERTH_CLUSTER_NODES);
  const auto& reverse = *node.Extension<berth_score>(BERTH_POINT_SCORE);
  EXPECT_EQ(reverse.normalize_kind, BERTH_NORMALIZE_REVERSE);
  EXPECT_EQ(reverse.normalize, nullptr);
  const auto& call = *batch.Extension<berth_score>(BERTH_POINT_SCORE);
  EXPECT_EQ(call.normalize_kind, BERTH_NORMALIZE_CALL);
  EXPECT_NE(call.normalize, nullptr);
  EXPECT_FALSE(node.Offers(BERTH_POINT_BIND));
  EXPECT_FALSE(node.Offers("berth.plugin.filter/2"));
}

TEST(RowsTest, LiveRowsOfADenseRange) {
  const uint64_t live[] = {0xf000000000000001u, 0x8000000000000003u, 0x1u};
  struct Case {
    uint32_t first, n;
    std::vector<uint32_t> expected;
  };
  const std::vector<Case> cases = {
      {0, 129, {0, 60, 61, 62, 63, 64, 65, 127, 128}},
      {0, 1, {0}},
      {1, 59, {}},
      {1, 60, {60}},
      {61, 4, {61, 62, 63, 64}},
      {64, 64, {64, 65, 127}},
      {127, 2, {127, 128}},
      {63, 1, {63}},
      {5, 0, {}},
  };
  for (const Case& one : cases) {
    const berth_rows raw{sizeof(berth_rows), one.n, one.first, 0, nullptr, live};
    std::vector<uint32_t> met;
    Rows(&raw).ForEachLive([&](uint32_t i, uint32_t row) {
      EXPECT_EQ(i + one.first, row);
      met.push_back(row);
    });
    EXPECT_EQ(met, one.expected) << one.first << " " << one.n;
    EXPECT_EQ(Rows(&raw).Count(), one.expected.size());
  }
}

TEST(RowsTest, PickedRows) {
  const uint32_t picked[] = {3, 7, 200};
  const uint64_t live[4] = {~0ull, 0, 0, ~0ull};
  const berth_rows raw{sizeof(berth_rows), 3, 0, 0, picked, live};
  const Rows rows(&raw);
  EXPECT_FALSE(rows.dense());
  EXPECT_EQ(rows.Count(), 3u);
  EXPECT_EQ(rows[2], 200u);
  EXPECT_TRUE(rows.Live(3));
  EXPECT_FALSE(rows.Live(64));
  uint32_t sum = 0;
  rows.ForEach([&](uint32_t i, uint32_t row) { sum += (i + 1) * row; });
  EXPECT_EQ(sum, 3u + 14u + 600u);
}

}  // namespace
}  // namespace berth::sdk::testing
