#include "scheduler/framework/reuse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::framework {
namespace {

using testing::ElementsAre;

class StaleRowsTest : public testing::Test {
 protected:
  void SetNode(const std::string& name, const std::string& labels = "", const std::string& features = "") {
    const auto node = api::DecodeNode(intern_, R"({"metadata":{"name":")" + name + R"(","labels":{)" + labels +
                                                   R"(}},"status":{"declaredFeatures":[)" + features + "]}}");
    ASSERT_TRUE(node) << node.error().message;
    cache_.SetNode(*node);
  }
  Stale Find(uint64_t row_aspects, uint64_t cluster_aspects = 0) {
    const berth_reuse reuse{BERTH_REUSE, 0, 0, row_aspects, cluster_aspects};
    return stale_.Find(cache_, own_, reuse, entry_, rows_);
  }

  api::InternTables intern_;
  cache::Cache cache_{intern_};
  base::RowLog own_;
  StaleRows stale_;
  KeptEntry entry_;
  std::vector<uint32_t> rows_;
};

TEST(MayKeep, RequiresBothFlagsAndKnownParts) {
  constexpr uint32_t kBoth = BERTH_REUSE | BERTH_TOTAL;
  EXPECT_TRUE(MayKeep({kBoth, 0, BERTH_POD_FLAGS, BERTH_ROW_FEATURES, BERTH_CLUSTER_IMAGES}));
  EXPECT_FALSE(MayKeep({BERTH_REUSE, 0, 0, 0, 0}));
  EXPECT_FALSE(MayKeep({BERTH_TOTAL, 0, 0, 0, 0}));
  EXPECT_FALSE(MayKeep({kBoth, 0, BERTH_POD_FLAGS << 1, 0, 0})) << "a part of the pod that this host does not know";
  EXPECT_FALSE(MayKeep({kBoth, 0, 0, BERTH_ROW_FEATURES << 1, 0}));
  EXPECT_FALSE(MayKeep({kBoth, 0, 0, 0, BERTH_CLUSTER_IMAGES << 1}));
}

TEST_F(StaleRowsTest, OnlyRowsWithChangedDeclaredPartsAreStale) {
  for (const char* name : {"a", "b", "c"}) SetNode(name);
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kEverything) << "never filled";
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kNothing);
  SetNode("a");  // unchanged
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kNothing);
  SetNode("b", R"("zone":"x")");
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(1));
}

TEST_F(StaleRowsTest, DeclaredFeaturesAreASeparatePart) {
  SetNode("a");
  SetNode("b");
  EXPECT_EQ(Find(BERTH_ROW_FEATURES), Stale::kEverything);
  SetNode("b", "", R"("F")");
  EXPECT_EQ(Find(BERTH_ROW_FEATURES), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(1));
  SetNode("b", R"("zone":"x")", R"("F")");
  EXPECT_EQ(Find(BERTH_ROW_FEATURES), Stale::kNothing);
}

// A new node has no result, even if the result depends on no part of a row.
TEST_F(StaleRowsTest, ANewNodeIsAlwaysStale) {
  SetNode("a");
  EXPECT_EQ(Find(0), Stale::kEverything);
  SetNode("b");
  EXPECT_EQ(Find(0), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(1));
  EXPECT_EQ(Find(0), Stale::kNothing);
  cache_.RemoveNode("a");
  EXPECT_EQ(Find(0), Stale::kNothing);
  SetNode("c");  // on the row of a
  EXPECT_EQ(Find(0), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(0));
}

TEST_F(StaleRowsTest, RowsThatThePluginReportsAreStale) {
  for (const char* name : {"a", "b", "c"}) SetNode(name);
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kEverything) << "never filled";
  own_.Append(2);
  own_.Append(7);  // a row without a node
  SetNode("a", R"("zone":"x")");
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(0, 2));
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kNothing);
  own_.AppendAll();
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kEverything);
  own_.Append(1);
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(1));
}

// Plugins that are asked again may rely on ascending rows (berth/abi.h).
TEST_F(StaleRowsTest, StaleRowsAscendWhateverTheOrderOfTheChanges) {
  for (const char* name : {"a", "b", "c", "d"}) SetNode(name);
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kEverything) << "never filled";
  SetNode("d", R"("zone":"x")");
  SetNode("b", R"("zone":"x")");
  own_.Append(0);
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(0, 1, 3));
}

// A plugin can name any number.
TEST_F(StaleRowsTest, RowsThatTheCacheDoesNotHaveAreIgnored) {
  SetNode("a");
  SetNode("b");
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kEverything) << "never filled";
  own_.Append(cache_.capacity());
  own_.Append(UINT32_MAX);
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kNothing);
  own_.Append(UINT32_MAX);
  own_.Append(1);
  EXPECT_EQ(Find(BERTH_ROW_LABELS), Stale::kSomeRows);
  EXPECT_THAT(rows_, ElementsAre(1));
}

TEST_F(StaleRowsTest, ClusterAspectsMakeEveryRowStale) {
  SetNode("a");
  SetNode("b");
  EXPECT_EQ(Find(0, BERTH_CLUSTER_NODES), Stale::kEverything);
  EXPECT_EQ(Find(0, BERTH_CLUSTER_NODES), Stale::kNothing);
  SetNode("c");
  EXPECT_EQ(Find(0, BERTH_CLUSTER_NODES), Stale::kEverything);
}

// Two pods that differ in one part have different keys if and only if that part is declared.
struct PartCase {
  uint64_t aspect;
  const char* pod;
};
TEST(PodKey, HoldsOnlyTheDeclaredParts) {
  const PartCase cases[] = {
      {BERTH_POD_LABELS, R"({"metadata":{"labels":{"a":"b"}}})"},
      {BERTH_POD_IMAGES, R"({"spec":{"volumes":[{"image":{"reference":"r"}}]}})"},
      {BERTH_POD_RESOURCES, R"({"spec":{"overhead":{"cpu":"1"}}})"},
      {BERTH_POD_TOLERATIONS, R"({"spec":{"tolerations":[{"key":"k"}]}})"},
      {BERTH_POD_NODE_AFFINITY, R"({"spec":{"nodeSelector":{"a":"b"}}})"},
      {BERTH_POD_NAMESPACE, R"({"metadata":{"namespace":"other"}})"},
      {BERTH_POD_PRIORITY, R"({"spec":{"priority":5}})"},
      {BERTH_POD_NODE_NAME, R"({"spec":{"nodeName":"n"}})"},
      {BERTH_POD_POD_AFFINITY, R"({"spec":{"affinity":{"podAffinity":{}}}})"},
      {BERTH_POD_SPREAD, R"({"spec":{"topologySpreadConstraints":[{}]}})"},
      {BERTH_POD_VOLUMES, R"({"spec":{"volumes":[{"name":"v","ephemeral":{}}]}})"},
      {BERTH_POD_CLAIMS, R"({"spec":{"resourceClaims":[{"name":"c"}]}})"},
      {BERTH_POD_CONTROLLER, R"({"metadata":{"ownerReferences":[{"uid":"u","controller":true}]}})"},
      {BERTH_POD_FLAGS, R"({"spec":{"hostNetwork":true}})"},
  };
  api::InternTables intern;
  const api::PodRef plain = *api::DecodePod(intern, "{}");
  constexpr uint64_t kEvery = (uint64_t{1} << PodKey::kParts) - 1;
  for (const PartCase& c : cases) {
    const api::PodRef pod = *api::DecodePod(intern, c.pod);
    EXPECT_FALSE(MakePodKey(plain->abi, c.aspect) == MakePodKey(pod->abi, c.aspect)) << c.pod;
    EXPECT_FALSE(MakePodKey(plain->abi, kEvery) == MakePodKey(pod->abi, kEvery)) << c.pod;
    EXPECT_TRUE(MakePodKey(plain->abi, kEvery & ~c.aspect) == MakePodKey(pod->abi, kEvery & ~c.aspect)) << c.pod;
  }
}

}  // namespace
}  // namespace berth::framework
