// Long random histories of nodes and pods: after every change, the columns must match the objects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "objects.h"
#include "scheduler/cache/cache.h"
#include "scheduler/cache/checker.h"

namespace berth::cache {
namespace {

class History {
 public:
  explicit History(uint32_t seed) : random_(seed) { cache_.OpenLabelColumn(zone_.get()); }

  void Change() {
    switch (Draw(8)) {
      case 0:
      case 1: cache_.SetNode(SomeNode()); break;
      case 2: cache_.RemoveNode(Name("node-", 6)); break;
      case 3: (void)cache_.Assume(SomePod()); break;
      case 4: (void)cache_.Forget("uid-" + Name("pod-", 20)); break;
      case 5: (void)cache_.AddPod(SomePod()); break;
      case 6: Update(); break;
      default: cache_.RemovePod("uid-" + Name("pod-", 20)); break;
    }
  }
  std::vector<std::string> Wrong() { return CheckAgainstRebuilt(intern_, cache_); }

 private:
  uint32_t Draw(uint32_t below) { return random_() % below; }
  std::string Name(const char* prefix, uint32_t below) { return prefix + std::to_string(Draw(below)); }

  std::string SomeResource() { return Name("example.com/r", 3); }
  api::NodeRef SomeNode() {
    NodeText node{
        .name = Name("node-", 6), .cpu = std::to_string(Draw(5)), .memory = std::to_string(1 + Draw(64)) + "Gi"};
    if (Draw(3) == 0) node.memory += "\",\"" + SomeResource() + "\":\"" + std::to_string(Draw(9));
    if (Draw(2) == 0) node.labels = R"("zone":"z)" + std::to_string(Draw(3)) + '"';
    if (Draw(3) == 0) node.spec = R"("taints":[{"key":"k","effect":"NoSchedule"}])";
    if (Draw(4) == 0) node.spec = R"("unschedulable":true)";
    if (Draw(2) == 0) {
      node.status = R"("images":[{"names":["img:)" + std::to_string(Draw(3)) + R"("],"sizeBytes":)" +
                    std::to_string(1000 * Draw(3)) + "}]";
    }
    return node.In(intern_);
  }

  api::PodRef SomePod() { return MakePod(Name("pod-", 20), Name("node-", 7)); }  // node-6 is never there
  api::PodRef MakePod(const std::string& name, const std::string& node) {
    PodText pod{.name = name, .node = node, .cpu = std::to_string(Draw(3000)) + "m"};
    if (Draw(3) == 0) pod.ports = R"({"containerPort":1,"hostPort":)" + std::to_string(80 + Draw(3)) + "}";
    if (Draw(2) == 0)
      pod.spec = R"("overhead":{"memory":"32Mi",")" + SomeResource() + R"(":")" + std::to_string(Draw(3)) + R"("})";
    return pod.In(intern_);
  }
  void Update() {
    const std::string name = Name("pod-", 20);
    const api::PodRef known = cache_.FindPod("uid-" + name);
    if (!known || cache_.IsAssumed("uid-" + name)) return;
    ASSERT_TRUE(cache_.UpdatePod(MakePod(name, std::string(intern_.ids.Text(known->abi.node_name)))));
  }

  std::mt19937 random_;
  api::InternTables intern_;
  base::OwnedId zone_{intern_.ids, "zone"};
  Cache cache_{intern_};
};

class RandomHistory : public testing::TestWithParam<uint32_t> {};

TEST_P(RandomHistory, KeepsTheColumnsConsistent) {
  History history(GetParam());
  for (int i = 0; i < 400; ++i) {
    history.Change();
    ASSERT_THAT(history.Wrong(), testing::IsEmpty()) << "after change " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomHistory, testing::Range(1u, 13u));

}  // namespace
}  // namespace berth::cache
