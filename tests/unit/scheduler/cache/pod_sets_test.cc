#include "scheduler/cache/pod_sets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "objects.h"
#include "pod_match.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cache/checker.h"
#include "scheduler/cache/overlay.h"

namespace berth::cache {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kWeb = R"("app":"web")";
constexpr const char* kDeleted = R"("deletionTimestamp":"2026-01-01T00:00:00Z")";

class PodSetsTest : public testing::Test {
 protected:
  PodSetsTest() {
    for (const char* node : {"a", "b"}) cache_.SetNode(NodeText{.name = node}.In(intern_));
  }
  void Add(const PodText& pod) { ASSERT_TRUE(cache_.AddPod(pod.In(intern_))); }
  void Update(const PodText& pod) { ASSERT_TRUE(cache_.UpdatePod(pod.In(intern_))); }
  int32_t On(const std::string& node, const berth_pod_set& set) {
    const base::OwnedId name(intern_.ids, node);
    return cache_.CountPods(set).of_row[cache_.RowOf(name.get())];
  }
  int64_t Total(const PodQuery& query) { return cache_.CountPods(query.set()).total; }
  api::SelectorRef Web() { return SelectorOf(intern_, {{"app", "web"}}); }
  void Sound() { EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), IsEmpty()); }

  api::InternTables intern_;
  Cache cache_{intern_};
};

TEST_F(PodSetsTest, CountsPodsThatWereThereAndPodsThatCome) {
  Add({.name = "p1", .node = "a", .labels = kWeb});
  Add({.name = "p2", .node = "a", .labels = R"("app":"db")"});
  Add({.name = "p3", .node = "a", .ns = "other", .labels = kWeb});
  PodQuery web(intern_);
  web.And({"default"}, {}, Web());
  EXPECT_EQ(On("a", web.set()), 1);
  EXPECT_EQ(On("b", web.set()), 0);
  ASSERT_TRUE(cache_.Assume(PodText{.name = "p4", .node = "b", .labels = kWeb}.In(intern_)));
  Add({.name = "p5", .node = "b", .labels = R"("app":"web","version":"2")"});
  Add({.name = "p6", .node = "b", .ns = "other", .labels = kWeb});
  EXPECT_EQ(On("b", web.set()), 2);
  EXPECT_EQ(Total(web), 3);
  Add({.name = "p4", .node = "a", .labels = kWeb});  // confirmed, on another node than assumed
  EXPECT_EQ(On("a", web.set()), 2);
  EXPECT_EQ(On("b", web.set()), 1);
  EXPECT_TRUE(cache_.RemovePod("uid-p1"));
  EXPECT_EQ(On("a", web.set()), 1);
  EXPECT_EQ(Total(web), 2);
  Sound();
}

TEST_F(PodSetsTest, AForgottenPodDoesNotCount) {
  PodQuery every(intern_);
  EXPECT_EQ(Total(every), 0);
  ASSERT_TRUE(cache_.Assume(PodText{.name = "p", .node = "a"}.In(intern_)));
  EXPECT_EQ(Total(every), 1);
  ASSERT_TRUE(cache_.Forget("uid-p"));
  EXPECT_EQ(Total(every), 0);
  EXPECT_EQ(On("a", every.set()), 0);
  Sound();
}

TEST_F(PodSetsTest, TerminatingPodsCountByDefault) {
  Add({.name = "p1", .node = "a"});
  Add({.name = "p2", .node = "a", .metadata = kDeleted});
  PodQuery all(intern_), staying(intern_, BERTH_POD_SET_NOT_DELETED);
  EXPECT_EQ(On("a", all.set()), 2);
  EXPECT_EQ(On("a", staying.set()), 1);
  Update({.name = "p1", .node = "a", .metadata = kDeleted});
  EXPECT_EQ(On("a", all.set()), 2);
  EXPECT_EQ(On("a", staying.set()), 0);
  EXPECT_EQ(Total(staying), 0);
  Sound();
}

TEST_F(PodSetsTest, FollowsLabelsThatChange) {
  PodQuery web(intern_);
  web.And({"default"}, {}, Web());
  Add({.name = "p", .node = "a"});
  EXPECT_EQ(On("a", web.set()), 0);
  Update({.name = "p", .node = "a", .labels = kWeb});
  EXPECT_EQ(On("a", web.set()), 1);
  Update({.name = "p", .node = "a", .labels = R"("app":"db")"});
  EXPECT_EQ(On("a", web.set()), 0);
  Sound();
}

TEST_F(PodSetsTest, PodsOfARemovedNodeCountAgainWhenItReturns) {
  PodQuery web(intern_);
  web.And({}, {}, Web());
  Add({.name = "p1", .node = "a", .labels = kWeb});
  Add({.name = "p2", .node = "late", .labels = kWeb});
  EXPECT_EQ(Total(web), 1);
  EXPECT_TRUE(cache_.RemoveNode("a"));
  EXPECT_EQ(Total(web), 0);
  Sound();
  cache_.SetNode(NodeText{.name = "late"}.In(intern_));  // on the former row of a
  EXPECT_EQ(On("late", web.set()), 1);
  cache_.SetNode(NodeText{.name = "a"}.In(intern_));
  EXPECT_EQ(On("a", web.set()), 1);
  EXPECT_EQ(Total(web), 2);
  Sound();
}

TEST_F(PodSetsTest, TrialsDoNotCount) {
  const api::PodRef there = PodText{.name = "p1", .node = "a", .labels = kWeb}.In(intern_);
  ASSERT_TRUE(cache_.AddPod(there));
  PodQuery web(intern_), every(intern_);
  web.And({"default"}, {}, Web());
  EXPECT_EQ(On("a", web.set()), 1);
  Overlay overlay(cache_);
  const base::OwnedId name(intern_.ids, "a");
  overlay.Begin(cache_.RowOf(name.get()));
  const api::PodRef nominated = PodText{.name = "p2", .labels = kWeb}.In(intern_);
  overlay.Add(nominated->abi);
  EXPECT_TRUE(overlay.Remove(there->abi));
  EXPECT_EQ(On("a", web.set()), 1);
  EXPECT_EQ(On("a", every.set()), 1) << "asked for the first time";
  overlay.End();
  EXPECT_EQ(On("a", web.set()), 1);
  EXPECT_TRUE(cache_.RemovePod("uid-p1"));
  EXPECT_EQ(On("a", web.set()), 0);
  Sound();
}

TEST_F(PodSetsTest, GrowsWithTheCache) {
  PodQuery every(intern_);
  Add({.name = "p", .node = "a"});
  EXPECT_EQ(On("a", every.set()), 1);
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    cache_.SetNode(NodeText{.name = "n" + n}.In(intern_));
    Add({.name = "q" + n, .node = "n" + n});
  }
  EXPECT_EQ(On("n99", every.set()), 1);
  EXPECT_EQ(Total(every), 101);
  EXPECT_EQ(cache_.CountPods(every.set()).of_row.size(), cache_.capacity());
  Sound();
}

// ---- membership ----

TEST_F(PodSetsTest, EveryConditionMustHold) {
  Add({.name = "p1", .node = "a", .labels = R"("app":"web","tier":"front")"});
  Add({.name = "p2", .node = "a", .labels = kWeb});
  Add({.name = "p3", .node = "a", .ns = "other", .labels = R"("app":"web","tier":"front")"});
  const api::SelectorRef front = SelectorOf(intern_, "tier", "In", {"back", "front"});
  struct Case {
    const char* name;
    std::vector<std::string> first, second;  // namespaces
    int64_t want;
  };
  for (const Case& c :
       {Case{.name = "both everywhere", .want = 2}, Case{.name = "one here", .first = {"default"}, .want = 1},
        Case{.name = "either is enough", .first = {"default", "other"}, .second = {"other", "third"}, .want = 1},
        Case{.name = "nowhere both", .first = {"default"}, .second = {"other"}, .want = 0}}) {
    PodQuery query(intern_);
    query.And(c.first, {}, Web()).And(c.second, {}, front);
    EXPECT_EQ(Total(query), c.want) << c.name;
  }
  Sound();
}

TEST_F(PodSetsTest, SelectorAndPairsAndNamespace) {
  Add({.name = "p1", .node = "a", .labels = R"("app":"web","hash":"1")"});
  Add({.name = "p2", .node = "a", .labels = R"("app":"web","hash":"2")"});
  Add({.name = "p3", .node = "a"});
  const auto total = [this](const std::vector<std::string>& namespaces, const Pairs& pairs, api::SelectorRef selector) {
    PodQuery query(intern_);
    query.And(namespaces, pairs, std::move(selector));
    return Total(query);
  };
  EXPECT_EQ(total({"default"}, {}, {}), 3) << "no selector: any labels";
  EXPECT_EQ(total({"default"}, {{"hash", "2"}}, Web()), 1) << "as matchLabelKeys narrow a selector";
  EXPECT_EQ(total({"default"}, {{"hash", "2"}, {"app", "db"}}, {}), 0);
  EXPECT_EQ(total({"default"}, {{"hash", "3"}}, Web()), 0);
  EXPECT_EQ(total({"other"}, {}, {}), 0);
  EXPECT_EQ(total({}, {}, SelectorOf(intern_, "hash", "Exists", {})), 2);
  EXPECT_EQ(total({}, {}, SelectorOf(intern_, "hash", "DoesNotExist", {})), 1);
  EXPECT_EQ(total({}, {}, SelectorOf(intern_, "hash", "NotIn", {"1"})), 2);
  EXPECT_EQ(total({}, {}, SelectorOf(intern_, Pairs{})), 3) << "an empty selector";
  EXPECT_EQ(total({}, {}, MakeSelector(intern_, {}, {})), 0) << "a nil selector";
  EXPECT_EQ(total({}, {}, SelectorOf(intern_, "hash", "In", {})), 0) << "an error";
  PodQuery nowhere(intern_);
  nowhere.And({}).InNoNamespace();
  EXPECT_EQ(Total(nowhere), 0);
  Sound();
}

TEST_F(PodSetsTest, FlagsThatThisHostDoesNotKnowAreRefused) {
  PodQuery query(intern_);
  query.And({"default"});
  EXPECT_TRUE(IsKnown(query.set()));
  berth_pod_set set = query.set();
  set.flags = 1u << 7;
  EXPECT_FALSE(IsKnown(set));
  berth_pod_match match = *BERTH_AT(query.set().all_of, berth_pod_match, 0);
  match.flags = 1u << 7;
  set = {sizeof set, 0, {&match, 1, sizeof match}};
  EXPECT_FALSE(IsKnown(set));
}

// ---- limits ----

TEST_F(PodSetsTest, EqualConditionsAreOneSet) {
  PodQuery one(intern_), same(intern_), other(intern_), deleted(intern_, BERTH_POD_SET_NOT_DELETED);
  one.And({"x", "y"}, {{"k", "1"}, {"l", "2"}}, Web());
  same.And({"y", "x", "y"}, {{"l", "2"}, {"k", "1"}}, Web());
  other.And({"x", "y"}, {{"k", "2"}, {"l", "1"}}, Web());
  deleted.And({"x", "y"}, {{"k", "1"}, {"l", "2"}}, Web());
  EXPECT_EQ(&cache_.CountPods(one.set()), &cache_.CountPods(same.set()));
  EXPECT_EQ(cache_.pod_sets().size(), 1u);
  EXPECT_NE(&cache_.CountPods(one.set()), &cache_.CountPods(other.set()));
  EXPECT_NE(&cache_.CountPods(one.set()), &cache_.CountPods(deleted.set()));
  EXPECT_EQ(cache_.pod_sets().size(), 3u);
}

TEST_F(PodSetsTest, OwnsTheDescriptions) {
  {
    PodQuery query(intern_);
    query.And({"brief"}, {{"k", "v"}}, Web());
    EXPECT_EQ(Total(query), 0);
  }
  for (int i = 0; i < 3; ++i) intern_.ids.EndEpoch();
  Add({.name = "p", .node = "a", .ns = "brief", .labels = R"("app":"web","k":"v")"});
  PodQuery query(intern_);
  query.And({"brief"}, {{"k", "v"}}, Web());
  EXPECT_EQ(cache_.pod_sets().size(), 1u);
  EXPECT_EQ(Total(query), 1);
  EXPECT_EQ(cache_.pod_sets().size(), 1u) << "found again: its selector and its ids were alive";
}

TEST_F(PodSetsTest, KeepsTheSetsUsedLast) {
  Add({.name = "p", .node = "a", .labels = kWeb});
  PodQuery web(intern_);
  web.And({"default"}, {}, Web());
  EXPECT_EQ(Total(web), 1);
  for (size_t i = 0; i < PodSets::kSets + 44; ++i) {
    cache_.BeginCycle();
    PodQuery query(intern_);
    query.And({"ns-" + std::to_string(i)});
    EXPECT_EQ(Total(query), 0);
  }
  EXPECT_EQ(cache_.pod_sets().size(), PodSets::kSets);
  Sound();
  Add({.name = "p2", .node = "a", .labels = kWeb});
  cache_.BeginCycle();
  EXPECT_EQ(On("a", web.set()), 2) << "counted again";
  EXPECT_EQ(cache_.pod_sets().size(), PodSets::kSets);
  Sound();
}

TEST_F(PodSetsTest, KeepsEntriesOfTheCurrentCycle) {
  Add({.name = "p", .node = "a", .labels = kWeb});
  PodQuery web(intern_);
  web.And({"default"}, {}, Web());
  cache_.BeginCycle();
  const PodCounts& counts = cache_.CountPods(web.set());
  const int32_t* of_row = counts.of_row.data();
  for (size_t i = 0; i < 2 * PodSets::kSets; ++i) {
    PodQuery query(intern_);
    query.And({"ns-" + std::to_string(i)});
    EXPECT_EQ(Total(query), 0);
  }
  EXPECT_EQ(cache_.pod_sets().size(), 1 + 2 * PodSets::kSets);
  EXPECT_EQ(counts.of_row.data(), of_row);
  EXPECT_EQ(On("a", web.set()), 1);
  cache_.BeginCycle();
  PodQuery one_more(intern_);
  EXPECT_EQ(Total(one_more), 1);
  EXPECT_EQ(cache_.pod_sets().size(), PodSets::kSets);
  Sound();
}

// A pod may have thousands of affinity terms, each with its own set.
TEST_F(PodSetsTest, FreesEntriesBeyondTheLimitInTheNextCycle) {
  Add({.name = "p", .node = "a", .labels = kWeb});
  cache_.BeginCycle();
  for (size_t i = 0; i < 10 * PodSets::kSets; ++i) {
    PodQuery query(intern_);
    query.And({"default", "ns-" + std::to_string(i)});
    EXPECT_EQ(Total(query), 1);
  }
  PodQuery web(intern_);
  web.And({"default"}, {}, Web());
  EXPECT_EQ(Total(web), 1);
  cache_.BeginCycle();
  EXPECT_EQ(cache_.pod_sets().size(), PodSets::kSets);
  EXPECT_LE(cache_.pod_sets().n_cells(), PodSets::kSets * cache_.capacity());
  Add({.name = "p2", .node = "a", .labels = kWeb});
  EXPECT_EQ(On("a", web.set()), 2) << "used last";
  Sound();
  for (int i = 0; i < 300; ++i) cache_.SetNode(NodeText{.name = "more-" + std::to_string(i)}.In(intern_));
  EXPECT_LE(cache_.pod_sets().n_cells(), PodSets::kSets * cache_.capacity()) << "after the rows grew";
  Sound();
}

// Each pod of a StatefulSet has different labels.
TEST_F(PodSetsTest, PodsOfManyKindsComeAndGo) {
  PodQuery web(intern_);
  web.And({"default"}, {}, Web());
  EXPECT_EQ(Total(web), 0);
  const api::PodRef first = PodText{.name = "first", .node = "a", .labels = R"("app":"web","pod":"first")"}.In(intern_);
  ASSERT_TRUE(cache_.AddPod(first));
  EXPECT_TRUE(cache_.RemovePod("uid-first"));
  const size_t held = intern_.blocks.size();
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "web-" + std::to_string(i);
    Add({.name = name, .node = "a", .labels = R"("app":"web","pod":")" + name + '"'});
    EXPECT_EQ(On("a", web.set()), 1);
    EXPECT_TRUE(cache_.RemovePod("uid-" + name));
  }
  EXPECT_EQ(Total(web), 0);
  EXPECT_LT(intern_.blocks.size(), held + 100) << "labels without a pod do not accumulate";
  ASSERT_TRUE(cache_.AddPod(first));
  EXPECT_EQ(On("a", web.set()), 1);
  Sound();
}

TEST_F(PodSetsTest, TheCheckerSeesAWrongCount) {
  Add({.name = "p", .node = "b"});
  PodQuery every(intern_);
  auto& counts = const_cast<PodCounts&>(cache_.CountPods(every.set()));
  const base::OwnedId name(intern_.ids, "b");
  ++counts.of_row[cache_.RowOf(name.get())];
  EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), Contains(HasSubstr(R"(node "b" has 2, recomputed 1)")));
  --counts.of_row[cache_.RowOf(name.get())];
  ++counts.total;
  EXPECT_THAT(CheckAgainstRebuilt(intern_, cache_), Contains(HasSubstr("all nodes have 2, recomputed 1")));
}

}  // namespace
}  // namespace berth::cache
