// An overlay of a row, and the row after it.
#include "scheduler/cache/overlay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "objects.h"
#include "scheduler/cache/checker.h"

namespace berth::cache {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// All data of a row that a plugin can read.
struct Seen {
  std::vector<int64_t> cells;
  std::vector<double> mirrors;
  std::vector<const berth_pod*> pods;
  std::vector<std::tuple<base::Id, base::Id, int32_t>> ports;
  int64_t generation;
  bool operator==(const Seen&) const = default;
};

class OverlayTest : public testing::Test {
 protected:
  void SetUp() override {
    cache_.SetNode(NodeText{.name = "n"}.In(intern_));
    cache_.SetNode(NodeText{.name = "other"}.In(intern_));
    row_ = cache_.RowOf(intern_.ids.Find("n"));
  }
  api::PodRef Put(const PodText& text) {
    const api::PodRef pod = text.In(intern_);
    EXPECT_TRUE(cache_.AddPod(pod));
    return pod;
  }
  int64_t Cell(uint32_t what, base::Id key = 0) const { return CellOf<int64_t>(what, key, row_); }
  template <class T>
  T CellOf(uint32_t what, base::Id key, uint32_t row) const {
    berth_column column{sizeof column, 0, 0, 0, nullptr};
    return cache_.FindColumn(what, key, &column) ? static_cast<const T*>(column.cells)[row] : 0;
  }
  Seen Look(uint32_t row) const {
    Seen seen{.pods = cache_.pod_views(row), .generation = CellOf<int64_t>(BERTH_NODE_GENERATION, 0, row)};
    for (base::Id name : {intern_.cpu, intern_.memory, intern_.ids.Find("example.com/gpu")}) {
      for (uint32_t what : {BERTH_NODE_ALLOCATABLE, BERTH_NODE_REQUESTED, BERTH_NODE_NONZERO_REQUESTED}) {
        seen.cells.push_back(CellOf<int64_t>(what, name, row));
        seen.mirrors.push_back(CellOf<double>(what + 1, name, row));
      }
    }
    seen.cells.push_back(CellOf<int64_t>(BERTH_NODE_POD_COUNT, 0, row));
    for (const berth_host_port& p : cache_.used_ports(row)) seen.ports.emplace_back(p.ip, p.protocol, p.port);
    return seen;
  }
  std::vector<int32_t> Ports() const {
    std::vector<int32_t> ports;
    for (const berth_host_port& p : cache_.used_ports(row_)) ports.push_back(p.port);
    return ports;
  }

  api::InternTables intern_;
  Cache cache_{intern_};
  uint32_t row_ = 0;
};

constexpr const char* kGpu = R"("overhead":{"example.com/gpu":"2"})";

TEST_F(OverlayTest, ARemovedPodIsGoneFromCellsAndLists) {
  const api::PodRef a = Put({.name = "a", .node = "n", .ports = R"({"hostPort":80,"containerPort":80})"});
  const api::PodRef b = Put({.name = "b", .node = "n", .cpu = "2", .ports = R"({"hostPort":81,"containerPort":81})"});
  const api::PodRef c = Put({.name = "c", .node = "n", .cpu = "500m"});
  const int64_t before = Cell(BERTH_NODE_GENERATION);
  Overlay overlay(cache_);
  overlay.Begin(row_);
  ASSERT_TRUE(overlay.Remove(a->abi));
  EXPECT_EQ(Cell(BERTH_NODE_REQUESTED, intern_.cpu), 2500);
  EXPECT_EQ(Cell(BERTH_NODE_POD_COUNT), 2);
  EXPECT_EQ(Cell(BERTH_NODE_NONZERO_REQUESTED, intern_.memory), 2 * (int64_t{200} << 20));
  EXPECT_THAT(cache_.pod_views(row_), ElementsAre(&c->abi, &b->abi)) << "the last fills the hole";
  EXPECT_THAT(Ports(), ElementsAre(81));
  EXPECT_GT(Cell(BERTH_NODE_GENERATION), before);
  EXPECT_FALSE(overlay.Remove(a->abi)) << "it has left";
  EXPECT_EQ(cache_.pods(row_).size(), 3u) << "the pods that are on the node";
}

TEST_F(OverlayTest, EndRestoresEverything) {
  const api::PodRef a = Put({.name = "a", .node = "n", .ports = R"({"hostPort":80,"containerPort":80})"});
  const api::PodRef b = Put({.name = "b", .node = "n", .spec = kGpu});
  const api::PodRef guest = PodText{.name = "guest", .cpu = "3"}.In(intern_);
  const Seen before = Look(row_);
  const int64_t* cell = nullptr;
  {
    berth_column column{sizeof column, 0, 0, 0, nullptr};
    ASSERT_TRUE(cache_.FindColumn(BERTH_NODE_REQUESTED, intern_.cpu, &column));
    cell = static_cast<const int64_t*>(column.cells) + row_;
  }
  Overlay overlay(cache_);
  overlay.Begin(row_);
  overlay.Remove(b->abi);
  overlay.Add(guest->abi);
  overlay.Remove(a->abi);
  overlay.Add(b->abi);
  EXPECT_EQ(*cell, 4000) << "pointers that plugins hold show the trial";
  overlay.End();
  EXPECT_EQ(Look(row_), before);
  EXPECT_EQ(*cell, 2000);
  EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), IsEmpty());
}

// No column may move during a cycle, and no node can meet a request for a resource that none offers.
TEST_F(OverlayTest, IgnoresResourcesThatNoNodeOffers) {
  const api::PodRef guest = PodText{.name = "guest", .spec = kGpu}.In(intern_);
  const berth_column none{sizeof none, 0, 0, 0, nullptr};
  berth_column cpu = none, gpu = none;
  ASSERT_TRUE(cache_.FindColumn(BERTH_NODE_REQUESTED, intern_.cpu, &cpu));
  Overlay overlay(cache_);
  overlay.Begin(row_);
  overlay.Add(guest->abi);
  EXPECT_FALSE(cache_.FindColumn(BERTH_NODE_REQUESTED, intern_.ids.Find("example.com/gpu"), &gpu));
  EXPECT_EQ(static_cast<const int64_t*>(cpu.cells)[row_], 1000);
}

TEST_F(OverlayTest, TakeBackRemovesThePodsAddedLast) {
  Put({.name = "a", .node = "n"});
  const api::PodRef g = PodText{.name = "g", .ports = R"({"hostPort":80,"containerPort":80})"}.In(intern_);
  const api::PodRef h = PodText{.name = "h", .cpu = "2"}.In(intern_);
  Overlay overlay(cache_);
  overlay.Begin(row_);
  overlay.Add(g->abi);
  overlay.Add(h->abi);
  const int64_t with_both = Cell(BERTH_NODE_GENERATION);
  overlay.TakeBack(1);
  EXPECT_EQ(Cell(BERTH_NODE_REQUESTED, intern_.cpu), 2000);
  EXPECT_THAT(Ports(), ElementsAre(80));
  overlay.TakeBack(1);
  EXPECT_EQ(Cell(BERTH_NODE_REQUESTED, intern_.cpu), 1000);
  EXPECT_THAT(Ports(), IsEmpty());
  EXPECT_GT(Cell(BERTH_NODE_GENERATION), with_both) << "a number that was never used";
}

// An overlay must not affect kept results and plugins that count.
TEST_F(OverlayTest, ChangesNeitherLogsNorFeed) {
  const api::PodRef a = Put({.name = "a", .node = "n", .ports = R"({"hostPort":80,"containerPort":80})"});
  cache_.set_delta_mask(~uint32_t{0});
  std::vector<base::RowLog::Position> ends;
  for (int aspect = 0; aspect < kRowLogs; ++aspect) ends.push_back(cache_.log(aspect).end());
  {
    Overlay overlay(cache_);
    overlay.Begin(row_);
    overlay.Remove(a->abi);
    overlay.Add(a->abi);
  }
  for (int aspect = 0; aspect < kRowLogs; ++aspect) {
    EXPECT_EQ(cache_.log(aspect).end(), ends[static_cast<size_t>(aspect)]) << "aspect " << aspect;
  }
  std::vector<Delta> deltas;
  cache_.TakeDeltas(deltas);
  EXPECT_THAT(deltas, IsEmpty());
}

// A result kept for a number must be right whenever the number occurs again.
TEST_F(OverlayTest, DifferentSumsHaveDifferentNumbers) {
  std::mt19937 random(11);
  std::vector<api::PodRef> pods;
  for (int i = 0; i < 9; ++i) {
    pods.push_back(Put(
        {.name = "p" + std::to_string(i), .node = "n", .cpu = std::to_string(1 + i / 4), .spec = i == 8 ? kGpu : ""}));
  }
  Overlay overlay(cache_);
  size_t again = 0;
  for (int trial = 0; trial < 100; ++trial) {
    std::map<uint64_t, std::vector<int64_t>> sums;
    overlay.Begin(row_);
    for (int step = 0; step < 60; ++step) {
      const api::PodRef& pod = pods[random() % pods.size()];
      if (!overlay.Remove(pod->abi)) overlay.Add(pod->abi);
      const auto [at, fresh] = sums.emplace(overlay.requested(), Look(row_).cells);
      ASSERT_EQ(at->second, Look(row_).cells) << "trial " << trial << " step " << step;
      again += fresh ? 0 : 1;
    }
    overlay.End();
  }
  EXPECT_GT(again, 0u);
}

// Like victims of a preemption that are added back: one that does not fit is removed again, and the next one is equal.
TEST_F(OverlayTest, EqualRequestsRestoreTheNumber) {
  const api::PodRef a = Put({.name = "a", .node = "n"}), b = Put({.name = "b", .node = "n"});
  const api::PodRef c = Put({.name = "c", .node = "n", .cpu = "2"});
  Overlay overlay(cache_);
  overlay.Begin(row_);
  for (const api::PodRef& pod : {a, b, c}) overlay.Remove(pod->abi);
  const uint64_t empty = overlay.requested();
  overlay.Add(a->abi);
  const uint64_t with_a = overlay.requested();
  EXPECT_NE(with_a, empty);
  overlay.Remove(a->abi);
  EXPECT_EQ(overlay.requested(), empty);
  overlay.Add(b->abi);
  EXPECT_EQ(overlay.requested(), with_a);
  overlay.Remove(b->abi);
  overlay.Add(c->abi);
  EXPECT_NE(overlay.requested(), with_a);
  overlay.End();
  overlay.Begin(row_);
  EXPECT_NE(overlay.requested(), empty);
  EXPECT_NE(overlay.requested(), with_a);
}

// Two rows at once, any number of steps, and one reused object.
TEST_F(OverlayTest, RandomTrialsRestoreTheRow) {
  std::mt19937 random(7);
  std::vector<api::PodRef> here, guests;
  for (int i = 0; i < 12; ++i) {
    here.push_back(Put({.name = "p" + std::to_string(i),
                        .node = "n",
                        .cpu = std::to_string(1 + i % 3),
                        .ports = i % 4 == 0 ? R"({"hostPort":)" + std::to_string(80 + i) + "}" : "",
                        .spec = i % 5 == 0 ? kGpu : ""}));
    guests.push_back(PodText{.name = "g" + std::to_string(i), .cpu = "250m"}.In(intern_));
  }
  const api::PodRef far = Put({.name = "far", .node = "other"});
  const uint32_t other = cache_.RowOf(intern_.ids.Find("other"));
  const Seen before = Look(row_), other_before = Look(other);
  Overlay overlay(cache_), second(cache_);
  for (int trial = 0; trial < 200; ++trial) {
    overlay.Begin(row_);
    second.Begin(other);
    second.Remove(far->abi);
    for (uint32_t steps = random() % 40; steps > 0; --steps) {
      const api::PodRef& pod = random() % 4 == 0 ? guests[random() % guests.size()] : here[random() % here.size()];
      if (!overlay.Remove(pod->abi)) overlay.Add(pod->abi);
    }
    second.End();
    overlay.End();
    ASSERT_EQ(Look(row_), before) << "trial " << trial;
    ASSERT_EQ(Look(other), other_before) << "trial " << trial;
  }
  EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), IsEmpty());
}

}  // namespace
}  // namespace berth::cache
