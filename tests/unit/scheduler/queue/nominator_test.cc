// Cases of scheduling_queue_test.go that are about nominations.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

using Names = std::vector<std::string>;

class NominatorTest : public QueueTest {
 protected:
  NominatorTest() {
    for (const api::PodRef& pod : {medium_, unschedulable_, high_}) lookup.Set(pod);
  }
  void Nominate(const api::PodRef& pod, std::string_view node) {
    queue_->AddNominatedPod(pod, {NominatingMode::kOverride, node.empty() ? base::kNoId : Id(node)});
  }
  const api::PodRef high_ = MakePod({.name = "hpp", .priority = kHigh});
  const api::PodRef high_nominated_ = MakePod({.name = "hpp", .priority = kHigh, .nominated = "node1"});
  const api::PodRef medium_ = MakePod({.name = "mpp", .ns = "ns2", .priority = kMedium, .nominated = "node1"});
  const api::PodRef unschedulable_ = MakePod({.name = "up", .priority = kLow, .nominated = "node1"});
};

TEST_F(NominatorTest, PriorityQueue_Add) {
  Make();
  for (const api::PodRef& pod : {medium_, unschedulable_, high_}) queue_->Add(pod);
  EXPECT_EQ(NominatedTo("node1"), (Names{"mpp", "up"}));
  EXPECT_EQ(queue_->nominator().size(), 2u);
  QueuedPodPtr popped[3];
  for (QueuedPodPtr& pod : popped) pod = queue_->Pop();
  EXPECT_EQ(popped[0]->pod, high_);
  EXPECT_EQ(popped[1]->pod, medium_);
  EXPECT_EQ(popped[2]->pod, unschedulable_);
  EXPECT_EQ(NominatedTo("node1"), (Names{"mpp", "up"}));
}

TEST_F(NominatorTest, PriorityQueue_NominatedPodsForNode) {
  Make();
  for (const api::PodRef& pod : {medium_, unschedulable_, high_}) queue_->Add(pod);
  EXPECT_EQ(PopName(), "hpp");
  std::vector<api::PodRef> pods;
  queue_->NominatedPodsForNode(Id("node1"), pods);
  EXPECT_EQ(pods, (std::vector<api::PodRef>{medium_, unschedulable_}));
  EXPECT_EQ(NominatedTo("node2"), Names{});
}

TEST_F(NominatorTest, PriorityQueue_NominatedPodDeleted) {
  Make();
  queue_->AddNominatedPod(medium_, {});
  EXPECT_EQ(NominatedTo("node1"), Names{"mpp"});
  queue_->DeleteNominatedPodIfExists(medium_->uid());
  lookup.pods.clear();  // deleted pod shouldn't be added
  queue_->AddNominatedPod(high_nominated_, {});
  EXPECT_EQ(NominatedTo("node1"), Names{});
  lookup.Set(high_);  // pod without status.nominatedNodeName shouldn't be added
  queue_->AddNominatedPod(high_, {});
  EXPECT_TRUE(queue_->nominator().empty());
}

TEST_F(NominatorTest, PriorityQueue_UpdateNominatedPodForNode) {
  const api::PodRef scheduled = MakePod({.name = "sp", .node = "foo"});
  lookup.Set(scheduled);
  Make();
  queue_->Add(medium_);
  Nominate(unschedulable_, "node5");
  Nominate(high_, "node2");
  EXPECT_EQ(NominatedTo("node1"), Names{"mpp"});
  EXPECT_EQ(NominatedTo("node2"), Names{"hpp"});
  EXPECT_EQ(NominatedTo("node5"), Names{"up"});
  EXPECT_EQ(PopName(), "mpp");  // popping changes nothing
  EXPECT_EQ(NominatedTo("node1"), Names{"mpp"});
  Nominate(high_, "node4");
  EXPECT_EQ(NominatedTo("node2"), Names{});
  EXPECT_EQ(NominatedTo("node4"), Names{"hpp"});
  Nominate(MakePod({.name = "ne"}), "node1");  // not in the informer cache
  Nominate(scheduled, "node1");
  EXPECT_EQ(NominatedTo("node1"), Names{"mpp"});
  queue_->DeleteNominatedPodIfExists(high_->uid());
  EXPECT_EQ(NominatedTo("node4"), Names{});
  EXPECT_EQ(queue_->nominator().size(), 2u);
}

TEST_F(NominatorTest, ANominationInMemorySurvivesUpdatesWithoutOne) {
  const api::PodRef labelled = MakePod({.name = "hpp", .priority = kHigh, .label = "x"});
  Make();
  Nominate(high_, "node7");
  queue_->UpdateNominatedPod(*high_, labelled);
  EXPECT_EQ(NominatedTo("node7"), Names{"hpp"});
  queue_->UpdateNominatedPod(*labelled, high_nominated_);  // nominated by the object
  EXPECT_EQ(NominatedTo("node7"), Names{});
  EXPECT_EQ(NominatedTo("node1"), Names{"hpp"});
  queue_->UpdateNominatedPod(*high_nominated_, high_);  // and no more
  EXPECT_TRUE(queue_->nominator().empty());
}

TEST_F(NominatorTest, ANominationToNoNodeIsRemembered) {
  Make();
  queue_->Add(medium_);
  Nominate(medium_, "");
  EXPECT_EQ(NominatedTo("node1"), Names{});
  EXPECT_EQ(NominatedTo(""), Names{"mpp"});
  EXPECT_EQ(queue_->nominator().NodeOf(medium_->uid()), base::kEmptyId);
  EXPECT_EQ(queue_->nominator().NodeOf("unknown"), base::kNoId);
}

TEST_F(NominatorTest, PodsThatAreNotQueuedAreKnownByNameOnly) {
  lookup.Set(high_nominated_);
  Make();
  queue_->Add(high_nominated_);
  QueuedPodPtr popped = queue_->Pop();
  std::vector<api::PodRef> pods;
  queue_->NominatedPodsForNode(Id("node1"), pods);
  ASSERT_EQ(pods.size(), 1u);
  EXPECT_EQ(pods[0]->key(), "ns1/hpp");
  EXPECT_EQ(pods[0]->uid(), high_->uid());
  EXPECT_EQ(pods[0]->abi.priority, 0);
  EXPECT_EQ(pods[0]->abi.nominated_node, base::kNoId);
  EXPECT_EQ(pods[0]->abi.labels->items.n, 0u);
  EXPECT_EQ(pods[0]->abi.deletion_unix_ns, BERTH_NO_TIME);

  Fail(std::move(popped), {"plugin"});  // queued again: known again
  queue_->NominatedPodsForNode(Id("node1"), pods);
  EXPECT_EQ(pods[0], high_nominated_);
}

TEST_F(NominatorTest, NodeNamesLiveAsLongAsTheirNominations) {
  Make();
  const base::Id node = Tables().ids.Intern("a-node-nobody-else-names");
  queue_->AddNominatedPod(high_, {NominatingMode::kOverride, node});
  Tables().ids.Drop(node);
  for (int i = 0; i < 3; ++i) Tables().ids.EndEpoch();
  queue_->UpdateNominatedPod(*high_, high_);
  for (int i = 0; i < 3; ++i) Tables().ids.EndEpoch();
  EXPECT_EQ(Tables().ids.Find("a-node-nobody-else-names"), node);
  std::vector<base::Id> nodes;
  queue_->nominator().ForEachNode([&](base::Id n) { nodes.push_back(n); });
  EXPECT_EQ(nodes, std::vector<base::Id>{node});
  queue_->Delete(*high_);
  for (int i = 0; i < 3; ++i) Tables().ids.EndEpoch();
  EXPECT_EQ(Tables().ids.Find("a-node-nobody-else-names"), base::kNoId);
}

TEST_F(NominatorTest, DeletedPodsAreNotNominated) {
  Make();
  queue_->Update(high_, high_nominated_);
  queue_->Add(unschedulable_);
  queue_->Delete(*high_nominated_);
  EXPECT_EQ(NominatedTo("node1"), Names{"up"});
  EXPECT_EQ(PlaceOf(unschedulable_), Place::kActive);
  EXPECT_EQ(PlaceOf(high_), Place::kNone);
  queue_->Delete(*unschedulable_);
  EXPECT_TRUE(queue_->nominator().empty());
}

}  // namespace
}  // namespace berth::queue
