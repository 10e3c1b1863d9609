// Long random histories with queries of domains and sets of pods: after every change, the incremental results must
// match the objects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "objects.h"
#include "pod_match.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cache/checker.h"

namespace berth::cache {
namespace {

class CountedHistory {
 public:
  explicit CountedHistory(uint32_t seed) : random_(seed) {}

  void Change() {
    switch (Draw(12)) {
      case 0:
      case 1: cache_.SetNode(SomeNode()); break;
      case 2: cache_.RemoveNode(Name("node-", 9)); break;
      case 3: (void)cache_.Assume(SomePod()); break;
      case 4: (void)cache_.Forget("uid-" + Name("pod-", 40)); break;
      case 5:
      case 6: (void)cache_.AddPod(SomePod()); break;
      case 7: Update(); break;
      case 8: cache_.RemovePod("uid-" + Name("pod-", 40)); break;
      case 9: cache_.BeginCycle(); break;
      case 10: AskForDomains(); break;
      default: AskForPods(); break;
    }
    if (Draw(50) == 0) intern_.ids.EndEpoch();
  }
  std::vector<std::string> Wrong() { return CheckAgainstRebuilt(intern_, cache_); }

 private:
  uint32_t Draw(uint32_t below) { return random_() % below; }
  std::string Name(const char* prefix, uint32_t below) { return prefix + std::to_string(Draw(below)); }
  std::string Pair(const char* key, uint32_t values) {
    return std::string("\"") + key + "\":\"" + (Draw(8) == 0 ? "" : Name("v", values)) + '"';
  }

  api::NodeRef SomeNode() {
    NodeText node{.name = Name("node-", 9)};
    node.labels = R"("host":")" + Name("h", 10'000) + '"';  // new values all the time
    if (Draw(4) != 0) node.labels += "," + Pair("zone", 3);
    if (Draw(2) == 0) node.labels += "," + Pair("rack", 6);
    return node.In(intern_);
  }
  api::PodRef SomePod() { return MakePod(Name("pod-", 40), Name("node-", 10)); }  // node-9 is never there
  api::PodRef MakePod(const std::string& name, const std::string& node) {
    PodText pod{.name = name, .node = node, .ns = Name("ns-", 3), .labels = Pair("app", 3)};
    if (Draw(2) == 0) pod.labels += "," + Pair("tier", 2);
    if (Draw(4) == 0) pod.labels += R"(,"unique":")" + name + Name("-", 100) + '"';
    if (Draw(5) == 0) pod.metadata = R"("deletionTimestamp":"2026-01-01T00:00:00Z")";
    return pod.In(intern_);
  }
  void Update() {
    const std::string name = Name("pod-", 40);
    const api::PodRef known = cache_.FindPod("uid-" + name);
    if (!known || cache_.IsAssumed("uid-" + name)) return;
    ASSERT_TRUE(cache_.UpdatePod(MakePod(name, std::string(intern_.ids.Text(known->abi.node_name)))));
  }

  void AskForDomains() {
    static constexpr const char* kKeys[] = {"zone", "rack", "host"};
    const base::OwnedId key(intern_.ids, Draw(3) != 0 ? kKeys[Draw(3)] : Name("key-", 200));
    cache_.DomainsOf(key.get());
  }
  void AskForPods() {
    PodQuery query(intern_, Draw(2) == 0 ? BERTH_POD_SET_NOT_DELETED : 0);
    for (uint32_t n = Draw(3); n > 0; --n) {
      std::vector<std::string> namespaces;
      for (uint32_t k = Draw(3); k > 0; --k) namespaces.push_back(Name("ns-", 4));
      Pairs pairs;
      if (Draw(3) == 0) pairs = {{"tier", Name("v", 2)}};
      api::SelectorRef selector;
      if (Draw(3) != 0) selector = SomeSelector();
      query.And(namespaces, pairs, std::move(selector));
    }
    ASSERT_TRUE(IsKnown(query.set()));
    cache_.CountPods(query.set());
  }
  api::SelectorRef SomeSelector() {
    if (Draw(2) == 0) return SelectorOf(intern_, Pairs{{"app", Name("v", 3)}});
    static constexpr const char* kOps[] = {"In", "NotIn", "Exists", "DoesNotExist", "Bogus"};
    std::vector<std::string> values;
    const uint32_t op = Draw(5);
    for (uint32_t n = op < 2 ? 1 + Draw(2) : 0; n > 0; --n) values.push_back(Name("v", 3));
    return SelectorOf(intern_, Draw(2) == 0 ? "app" : "tier", kOps[op], values);
  }

  std::mt19937 random_;
  api::InternTables intern_;
  Cache cache_{intern_};
};

class RandomCounts : public testing::TestWithParam<uint32_t> {};

TEST_P(RandomCounts, MatchTheObjects) {
  CountedHistory history(GetParam());
  for (int i = 0; i < 1500; ++i) {
    history.Change();
    if (i % 10 != 0 && i > 300) continue;
    ASSERT_THAT(history.Wrong(), testing::IsEmpty()) << "after change " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCounts, testing::Range(1u, 9u));

}  // namespace
}  // namespace berth::cache
