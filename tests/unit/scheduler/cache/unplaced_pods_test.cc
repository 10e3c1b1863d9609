// Pods on nodes that the cache does not know yet, or no longer knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cache/checker.h"

namespace berth::cache {
namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;

class UnplacedPodsTest : public testing::Test {
 protected:
  void Put(const std::string& name, const std::string& node) {
    ASSERT_TRUE(cache_.AddPod(PodText{.name = name, .node = node}.In(intern_)));
  }
  void SetNode(const std::string& name) { cache_.SetNode(NodeText{.name = name}.In(intern_)); }
  std::vector<std::string> PodsOn(const std::string& node) {
    std::vector<std::string> names;
    for (const api::PodRef& pod : cache_.pods(cache_.RowOf(intern_.ids.Find(node)))) names.emplace_back(pod->name());
    return names;
  }
  void Sound() { EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), IsEmpty()); }

  api::InternTables intern_;
  Cache cache_{intern_};
};

TEST_F(UnplacedPodsTest, AreListedOnTheirNodeInOrderOfArrival) {
  std::vector<std::string> arrived;
  for (int i = 0; i < 40; ++i) {
    arrived.push_back("p" + std::to_string(i));
    Put(arrived.back(), "n");
    Put("q" + std::to_string(i), "another");
  }
  SetNode("n");
  EXPECT_THAT(PodsOn("n"), ElementsAreArray(arrived));
  Sound();
}

TEST_F(UnplacedPodsTest, KeepTheirOrderWhenTheirNodeReturns) {
  std::vector<std::string> arrived;
  SetNode("n");
  for (int i = 0; i < 40; ++i) {
    arrived.push_back("p" + std::to_string(i));
    Put(arrived.back(), "n");
  }
  cache_.RemoveNode("n");
  arrived.push_back("late");
  Put("late", "n");
  SetNode("n");
  EXPECT_THAT(PodsOn("n"), ElementsAreArray(arrived));
  Sound();
}

TEST_F(UnplacedPodsTest, AreRemovedFromTheirUnknownNode) {
  for (const char* name : {"a", "b", "c", "d"}) Put(name, "n");
  EXPECT_TRUE(cache_.RemovePod("uid-b"));
  ASSERT_TRUE(cache_.UpdatePod(PodText{.name = "a", .node = "n", .cpu = "2"}.In(intern_)));
  EXPECT_EQ(cache_.n_unknown_nodes(), 1u);
  SetNode("n");
  EXPECT_THAT(PodsOn("n"), ElementsAreArray({"c", "d", "a"})) << "an update is an arrival";
  EXPECT_EQ(cache_.n_unknown_nodes(), 0u);
  Sound();
}

// The names of unknown nodes are kept only as long as their pods.
TEST_F(UnplacedPodsTest, ReleaseTheNamesOfTheirNodes) {
  const size_t before = intern_.ids.size();
  for (int i = 0; i < 1000; ++i) Put("p" + std::to_string(i), "invented-" + std::to_string(i));
  EXPECT_EQ(cache_.n_unknown_nodes(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(cache_.RemovePod("uid-p" + std::to_string(i)));
  EXPECT_EQ(cache_.n_unknown_nodes(), 0u);
  intern_.ids.EndEpoch();
  intern_.ids.EndEpoch();
  EXPECT_LE(intern_.ids.size(), before + 8) << "the texts that every pod has";
}

}  // namespace
}  // namespace berth::cache
