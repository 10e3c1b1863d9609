#include "framework/reuse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::framework {
namespace {

using testing::ElementsAre;

class StaleRowsTest : public testing::Test {
 protected:
  void SetNode(const std::string& name, const std::string& labels = "") {
    const auto node = api::DecodeNode(words_, R"({"metadata":{"name":")" + name + R"(","labels":{)" + labels + "}}}");
    ASSERT_TRUE(node) << node.error().message;
    cache_.SetNode(*node);
  }
  Stale Find(uint64_t row_aspects, uint64_t cluster_aspects = 0) {
    const berth_reuse reuse{BERTH_REUSE, 0, 0, row_aspects, cluster_aspects};
    return stale_.Find(cache_, reuse, entry_, rows_);
  }

  api::Vocabulary words_;
  cache::Cache cache_{words_};
  StaleRows stale_;
  KeptEntry entry_;
  std::vector<uint32_t> rows_;
};

TEST_F(StaleRowsTest, OnlyRowsWhoseDeclaredPartsChangedAreAskedAgain) {
  for (const char* name : {"a", "b", "c"}) SetNode(name);
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kEverything) << "never filled";
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kNothing);
  SetNode("a");  // nothing of it has changed
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kNothing);
  SetNode("b", R"("zone":"x")");
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(1));
}

// A result that depends on no part of a row is still unknown for a node that was not there.
TEST_F(StaleRowsTest, ANodeThatCameIsAskedWhateverIsDeclared) {
  SetNode("a");
  EXPECT_EQ(Find(0), Stale::kEverything);
  SetNode("b");
  EXPECT_EQ(Find(0), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(1));
  EXPECT_EQ(Find(0), Stale::kNothing);
  cache_.RemoveNode("a");
  EXPECT_EQ(Find(0), Stale::kNothing);
  SetNode("c");  // on a's row
  EXPECT_EQ(Find(0), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(0));
}

TEST_F(StaleRowsTest, AspectsOfTheClusterConcernEveryRow) {
  SetNode("a");
  SetNode("b");
  EXPECT_EQ(Find(0, BERTH_CLUSTER_NODES), Stale::kEverything);
  EXPECT_EQ(Find(0, BERTH_CLUSTER_NODES), Stale::kNothing);
  SetNode("c");
  EXPECT_EQ(Find(0, BERTH_CLUSTER_NODES), Stale::kEverything);
}

}  // namespace
}  // namespace berth::framework
