// Berth's own host and the fake host see the same samples.
#include "cmd/berthctl/validate/sample_manifests.h"

#include <gtest/gtest.h>

#include "api/node.h"
#include "api/pod.h"
#include "cmd/berthctl/validate/samples.h"

namespace berth::validate {
namespace {

using sdk::testing::FakePod;

std::vector<FakePod> AllPods() {
  std::vector<FakePod> pods = SamplePods();
  for (FakePod& pod : OddPods()) pods.push_back(std::move(pod));
  base::Random random(7);
  for (uint32_t i = 0; i < 200; ++i) pods.push_back(RandomPod(random, i));
  return pods;
}

// The lengths of the pod's lists, and its plain members.
std::vector<int64_t> ShapeOf(const berth_pod& pod) {
  const berth_node_affinity& nodes = *pod.node_affinity;
  const berth_pod_affinity& pods = *pod.pod_affinity;
  return {pod.priority,
          static_cast<int64_t>(pod.has),
          pod.labels->items.n,
          pod.ports->items.n,
          pod.tolerations->items.n,
          pod.gates->items.n,
          static_cast<int64_t>(nodes.has),
          nodes.selector.n,
          nodes.required.n,
          nodes.preferred.n,
          pods.required.n,
          pods.preferred.n,
          pods.anti_required.n,
          pods.anti_preferred.n,
          pod.spread->items.n,
          pod.volumes->items.n,
          pod.controller->kind != BERTH_ID_ABSENT,
          pod.node_name != BERTH_ID_ABSENT,
          pod.nominated_node != BERTH_ID_ABSENT,
          pod.deletion_unix_ns != BERTH_NO_TIME};
}

// The requests of all containers, by name.
std::map<std::string, int64_t> RequestsOf(const berth_pod& pod, const std::function<std::string(berth_id)>& text) {
  std::map<std::string, int64_t> sums;
  for (uint32_t i = 0; i < pod.resources->containers.n; ++i) {
    const berth_list& amounts = BERTH_AT(pod.resources->containers, berth_container, i)->requests;
    for (uint32_t k = 0; k < amounts.n; ++k) {
      const auto& amount = *BERTH_AT(amounts, berth_amount, k);
      sums[text(amount.name)] += amount.value;
    }
  }
  return sums;
}

TEST(SampleManifests, HoldWhatTheFakePodsHold) {
  api::InternTables intern;
  const auto text = [&](berth_id id) { return std::string(intern.ids.Text(id)); };
  for (const FakePod& pod : AllPods()) {
    const auto fake = pod.Build();
    const json::Value manifest = ManifestOf(*fake->raw());
    const auto decoded = api::DecodePod(intern, json::Dump(manifest));
    ASSERT_TRUE(decoded) << decoded.error().message << "\n" << json::Dump(manifest);
    EXPECT_EQ(ShapeOf((*decoded)->abi), ShapeOf(*fake->raw())) << json::Dump(manifest);
    EXPECT_EQ(RequestsOf((*decoded)->abi, text), RequestsOf(*fake->raw(), &sdk::testing::TextOf))
        << json::Dump(manifest);
  }
}

TEST(SampleManifests, HoldWhatTheFakeNodesHold) {
  api::InternTables intern;
  sdk::testing::FakeCluster cluster = SampleCluster(12);
  base::Random random(7);
  for (uint32_t i = 100; i < 200; ++i) cluster.Add(RandomNode(random, i));
  for (const uint32_t row : cluster.LiveRows()) {
    const json::Value manifest = ManifestOf(cluster.rows()[row]);
    const auto decoded = api::DecodeNode(intern, json::Dump(manifest));
    ASSERT_TRUE(decoded) << decoded.error().message << "\n" << json::Dump(manifest);
    const berth_node &real = (*decoded)->abi, &fake = *cluster.rows()[row].node->raw();
    EXPECT_EQ((*decoded)->name, cluster.NameOf(row));
    EXPECT_EQ(real.unschedulable, fake.unschedulable);
    EXPECT_EQ(real.labels->items.n, fake.labels->items.n);
    EXPECT_EQ(real.taints.n, fake.taints.n);
    EXPECT_EQ(real.allocatable.n, fake.allocatable.n);
    EXPECT_EQ((*decoded)->images.size(), cluster.rows()[row].images.size());
  }
}

}  // namespace
}  // namespace berth::validate
