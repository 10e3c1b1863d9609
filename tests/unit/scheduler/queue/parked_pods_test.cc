#include "scheduler/queue/parked_pods.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "fixture.h"

namespace berth::queue {
namespace {

class ParkedPodsTest : public ::testing::Test {
 protected:
  QueuedPod& Pod(const std::string& name, std::initializer_list<std::string_view> plugins, bool gated = false) {
    pods_.push_back(pool_.Make(MakePod({.name = name}), kStart));
    for (std::string_view plugin : plugins) pods_.back()->unschedulable_plugins.Insert(Id(plugin));
    if (gated) pods_.back()->gating_plugin = Id(*plugins.begin());
    return *pods_.back();
  }
  std::vector<std::string> Names() const {
    std::vector<std::string> names;
    parked_.ForEach([&](const QueuedPod& pod) { names.emplace_back(pod.pod->name()); });
    return names;
  }
  void TearDown() override {
    EXPECT_TRUE(parked_.Check());
    for (QueuedPodPtr& pod : pods_) {
      if (pod->place() != Place::kNone) parked_.Remove(*pod);
    }
    EXPECT_EQ(parked_.size(), 0u);
    EXPECT_TRUE(parked_.Check());
  }
  PodPool pool_;
  std::vector<QueuedPodPtr> pods_;
  ParkedPods parked_;
};

// unschedulable_pods_test.go
TEST_F(ParkedPodsTest, CreateUpdateDeleteSubsetOfPods) {
  QueuedPod& p0 = Pod("p0", {"test"});
  QueuedPod& p1 = Pod("p1", {"test"}, true);
  QueuedPod& p2 = Pod("p2", {"test"});
  parked_.Add(p0);
  parked_.Add(p1);
  parked_.Add(p2);
  EXPECT_EQ(parked_.size(), 3u);
  EXPECT_EQ(parked_.n_gated(), 1u);
  EXPECT_EQ(Names(), (std::vector<std::string>{"p0", "p2", "p1"}));
  EXPECT_EQ(parked_.FirstUngated(), &p0);

  p1.gating_plugin = base::kNoId;  // it keeps its turn
  parked_.Relist(p1);
  EXPECT_EQ(parked_.n_gated(), 0u);
  EXPECT_EQ(Names(), (std::vector<std::string>{"p0", "p1", "p2"}));

  p0.gating_plugin = Id("test");
  parked_.Relist(p0);
  EXPECT_EQ(Names(), (std::vector<std::string>{"p1", "p2", "p0"}));
  parked_.Remove(p0);
  parked_.Remove(p1);
  EXPECT_EQ(Names(), (std::vector<std::string>{"p2"}));
  EXPECT_EQ(parked_.n_gated(), 0u);
}

TEST_F(ParkedPodsTest, ListsPodsOncePerRejector) {
  QueuedPod& a = Pod("a", {"x"});
  QueuedPod& b = Pod("b", {"x", "y"});
  b.pending_plugins = {Id("y"), Id("z")};
  parked_.Add(a);
  parked_.Add(b);
  const base::Id profile = Id(kProfile);
  EXPECT_EQ(parked_.Find(profile, Id("x"))->pods.size(), 2u);
  EXPECT_EQ(parked_.Find(profile, Id("y"))->pods.size(), 1u);
  EXPECT_EQ(parked_.Find(profile, Id("z"))->pods.size(), 1u);
  EXPECT_EQ(parked_.Find(Id("another-scheduler"), Id("x")), nullptr);
  parked_.Remove(a);
  EXPECT_EQ(parked_.Find(profile, Id("x"))->pods, std::vector<QueuedPod*>{&b});
  b.unschedulable_plugins = {Id("w")};
  parked_.Relist(b);
  EXPECT_EQ(parked_.Find(profile, Id("x")), nullptr);
  EXPECT_EQ(parked_.Find(profile, Id("w"))->pods, std::vector<QueuedPod*>{&b});
}

TEST_F(ParkedPodsTest, StaysSoundUnderRandomUse) {
  const std::string_view plugins[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 30; ++i) Pod("p" + std::to_string(i), {"a"});
  base::Random random(3);
  for (int step = 0; step < 5000; ++step) {
    QueuedPod& pod = *pods_[random.Below(pods_.size())];
    const bool parked = pod.place() == Place::kUnschedulable;
    if (parked && random.Below(2) == 0) {
      parked_.Remove(pod);
      continue;
    }
    pod.ClearRejectorPlugins();
    for (std::string_view plugin : plugins) {
      if (random.Below(2) == 0)
        (random.Below(2) == 0 ? pod.pending_plugins : pod.unschedulable_plugins).Insert(Id(plugin));
    }
    pod.unschedulable_plugins.Insert(Id("e"));
    if (random.Below(3) == 0) pod.gating_plugin = Id("e");
    parked ? parked_.Relist(pod) : parked_.Add(pod);
    const auto checked = parked_.Check();
    ASSERT_TRUE(checked) << checked.error().message;
  }
}

}  // namespace
}  // namespace berth::queue
