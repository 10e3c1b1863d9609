#include "scheduler/cache/cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/deltas.h"
#include "objects.h"
#include "scheduler/cache/checker.h"

namespace berth::cache {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CacheTest : public testing::Test {
 protected:
  int64_t Requested(const std::string& node, const char* resource = "cpu") {
    return CellOf(BERTH_NODE_REQUESTED, node, resource);
  }
  int64_t CellOf(uint32_t what, const std::string& node, const char* resource) {
    base::OwnedId key(intern_.ids, resource), name(intern_.ids, node);
    berth_column column{sizeof column, 0, 0, 0, nullptr};
    const uint32_t row = cache_.RowOf(name.get());
    if (row == kNoRow || !cache_.FindColumn(what, key.get(), &column)) return -1;
    return static_cast<const int64_t*>(column.cells)[row];
  }
  size_t PodsOn(const std::string& node) {
    base::OwnedId name(intern_.ids, node);
    return cache_.pods(cache_.RowOf(name.get())).size();
  }
  void SetNode(const NodeText& node) { cache_.SetNode(node.In(intern_)); }
  void Sound() { EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), IsEmpty()); }

  api::InternTables intern_;
  Cache cache_{intern_};
};

TEST_F(CacheTest, AnAssumedPodCountsUntilItIsForgotten) {
  SetNode({.name = "n"});
  ASSERT_TRUE(cache_.Assume(PodText{.name = "p", .node = "n", .cpu = "1500m"}.In(intern_)));
  EXPECT_TRUE(cache_.IsAssumed("uid-p"));
  EXPECT_EQ(Requested("n"), 1500);
  Sound();
  ASSERT_TRUE(cache_.Forget("uid-p"));
  EXPECT_EQ(Requested("n"), 0);
  EXPECT_EQ(cache_.n_pods(), 0u);
  EXPECT_TRUE(cache_.Forget("uid-p")) << "unknown is fine";
  Sound();
}

TEST_F(CacheTest, AConfirmedPodIsNotForgotten) {
  SetNode({.name = "n"});
  const api::PodRef pod = PodText{.name = "p", .node = "n"}.In(intern_);
  ASSERT_TRUE(cache_.Assume(pod));
  ASSERT_TRUE(cache_.AddPod(pod));
  EXPECT_FALSE(cache_.IsAssumed("uid-p"));
  EXPECT_FALSE(cache_.Forget("uid-p"));
  EXPECT_EQ(Requested("n"), 1000);
  Sound();
}

// As upstream, the informer decides where a pod is.
TEST_F(CacheTest, APodConfirmedElsewhereMoves) {
  SetNode({.name = "a"});
  SetNode({.name = "b"});
  ASSERT_TRUE(cache_.Assume(PodText{.name = "p", .node = "a"}.In(intern_)));
  ASSERT_TRUE(cache_.AddPod(PodText{.name = "p", .node = "b"}.In(intern_)));
  EXPECT_EQ(Requested("a"), 0);
  EXPECT_EQ(Requested("b"), 1000);
  EXPECT_EQ(cache_.n_pods(), 1u);
  Sound();
}

TEST_F(CacheTest, AssumingTwiceIsAnError) {
  SetNode({.name = "n"});
  const api::PodRef pod = PodText{.name = "p", .node = "n"}.In(intern_);
  ASSERT_TRUE(cache_.Assume(pod));
  EXPECT_FALSE(cache_.Assume(pod));
  EXPECT_EQ(Requested("n"), 1000);
}

TEST_F(CacheTest, PodsOutliveTheirNodeAndComeBackOntoIt) {
  ASSERT_TRUE(cache_.AddPod(PodText{.name = "early", .node = "n"}.In(intern_)));
  EXPECT_EQ(cache_.n_nodes(), 0u);
  Sound();
  SetNode({.name = "n"});
  EXPECT_EQ(Requested("n"), 1000);
  EXPECT_TRUE(cache_.RemoveNode("n"));
  EXPECT_FALSE(cache_.RemoveNode("n"));
  EXPECT_EQ(cache_.n_pods(), 1u);
  Sound();
  SetNode({.name = "n"});
  EXPECT_EQ(PodsOn("n"), 1u);
  EXPECT_EQ(Requested("n"), 1000);
  Sound();
}

TEST_F(CacheTest, AnUpdateReplacesWhatThePodCounts) {
  SetNode({.name = "n"});
  ASSERT_TRUE(cache_.AddPod(PodText{.name = "p", .node = "n", .cpu = "3"}.In(intern_)));
  ASSERT_TRUE(cache_.UpdatePod(PodText{.name = "p", .node = "n", .cpu = "500m"}.In(intern_)));
  EXPECT_EQ(Requested("n"), 500);
  EXPECT_FALSE(cache_.UpdatePod(PodText{.name = "stranger", .node = "n"}.In(intern_)));
  EXPECT_TRUE(cache_.RemovePod("uid-p"));
  EXPECT_FALSE(cache_.RemovePod("uid-p"));
  EXPECT_EQ(Requested("n"), 0);
  Sound();
}

TEST_F(CacheTest, RowsAreUsedAgain) {
  for (int round = 0; round < 5; ++round) {
    for (const char* name : {"a", "b", "c"}) SetNode({.name = name + std::to_string(round)});
    for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(cache_.RemoveNode(name + std::to_string(round)));
  }
  SetNode({.name = "last"});
  EXPECT_LE(cache_.capacity(), 64u);
  EXPECT_EQ(cache_.n_nodes(), 1u);
  Sound();
}

// A kept result is requested again only for rows in the log of an aspect that it depends on.
TEST_F(CacheTest, ChangesAreLoggedByAspect) {
  SetNode({.name = "n", .labels = R"("zone":"a")"});
  std::array<base::RowLog::Position, kRowAspects> read{};
  auto changed = [&] {
    std::vector<int> aspects;
    for (int i = 0; i < kRowAspects; ++i) {
      const auto rows = cache_.log(i).Since(read[static_cast<size_t>(i)]);
      if (rows && !rows->empty()) aspects.push_back(i);
      read[static_cast<size_t>(i)] = cache_.log(i).end();
    }
    return aspects;
  };
  changed();
  EXPECT_THAT(changed(), IsEmpty());
  SetNode({.name = "n", .labels = R"("zone":"b")"});
  EXPECT_THAT(changed(), ElementsAre(3));
  SetNode({.name = "n", .labels = R"("zone":"b")", .spec = R"("unschedulable":true)"});
  EXPECT_THAT(changed(), ElementsAre(4));
  SetNode({.name = "n", .cpu = "8", .labels = R"("zone":"b")", .spec = R"("unschedulable":true)"});
  EXPECT_THAT(changed(), ElementsAre(0));
  ASSERT_TRUE(cache_.AddPod(PodText{.name = "p", .node = "n"}.In(intern_)));
  EXPECT_THAT(changed(), ElementsAre(1, 2));
  ASSERT_TRUE(
      cache_.AddPod(PodText{.name = "q", .node = "n", .ports = R"({"containerPort":1,"hostPort":80})"}.In(intern_)));
  EXPECT_THAT(changed(), ElementsAre(1, 2, 6));
}

TEST_F(CacheTest, DeltasReportChangesInOrder) {
  cache_.set_delta_mask(BERTH_DELTA_NODES | BERTH_DELTA_PODS);
  SetNode({.name = "n"});
  ASSERT_TRUE(cache_.AddPod(PodText{.name = "p", .node = "n"}.In(intern_)));
  EXPECT_TRUE(cache_.RemovePod("uid-p"));
  EXPECT_TRUE(cache_.RemoveNode("n"));
  std::vector<Delta> deltas;
  cache_.TakeDeltas(deltas);
  std::vector<uint32_t> kinds;
  for (const Delta& delta : deltas) kinds.push_back(delta.kind);
  EXPECT_THAT(kinds,
              ElementsAre(BERTH_DELTA_NODE_ADD, BERTH_DELTA_POD_ADD, BERTH_DELTA_POD_REMOVE, BERTH_DELTA_NODE_REMOVE));
  cache_.TakeDeltas(deltas);
  EXPECT_THAT(deltas, IsEmpty());
}

// All other tests rely on the checker, so it must find a single wrong cell.
TEST_F(CacheTest, TheCheckerSeesAWrongCell) {
  SetNode({.name = "n"});
  ASSERT_TRUE(cache_.AddPod(PodText{.name = "p", .node = "n"}.In(intern_)));
  base::OwnedId cpu(intern_.ids, "cpu");
  for (const uint32_t what : {BERTH_NODE_REQUESTED, BERTH_NODE_ALLOCATABLE, BERTH_NODE_NONZERO_REQUESTED}) {
    berth_column column{sizeof column, 0, 0, 0, nullptr};
    ASSERT_TRUE(cache_.FindColumn(what, cpu.get(), &column));
    auto* cells = static_cast<int64_t*>(const_cast<void*>(column.cells));
    cells[0] += 1;
    const std::vector<std::string> wrong = CheckAgainstRebuilt(intern_, cache_);
    ASSERT_EQ(wrong.size(), 1u);
    EXPECT_THAT(wrong[0], HasSubstr("node \"n\": "));
    cells[0] -= 1;
  }
  Sound();
}

}  // namespace
}  // namespace berth::cache
