#include <gtest/gtest.h>

#include <string>

#include "api/node.h"
#include "pod_text.h"

namespace berth::api {
namespace {

NodeRef DecodedNode(InternTables& intern, std::string_view json) {
  auto node = DecodeNode(intern, json);
  if (node) return *node;
  ADD_FAILURE() << node.error().message;
  return *DecodeNode(intern, "{}");
}

TEST(DecodeNode, Everything) {
  InternTables intern;
  const NodeRef node = DecodedNode(intern, R"({"metadata":{"name":"n1","uid":"u","resourceVersion":"9",
      "labels":{"b":"2","a":"1"},"annotations":{"k":"v"}},
      "spec":{"unschedulable":true,"podCIDR":"x","taints":[
        {"key":"t2","value":"v","effect":"NoExecute","timeAdded":"2024-01-01T00:00:00Z"},
        {"key":"t1","effect":"NoSchedule"}]},
      "status":{"capacity":{"cpu":"9"},
        "allocatable":{"pods":"110","memory":"32Gi","cpu":"3920m","ephemeral-storage":"1.5"},
        "images":[{"names":["a@sha256:1","a:1"],"sizeBytes":123456},{"sizeBytes":1},{"names":null}],
        "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"2024-01-01T00:00:00Z"}],
        "declaredFeatures":["F1","F2"]}})");
  EXPECT_EQ(node->abi.size, sizeof(berth_node));
  EXPECT_EQ(node->name, "n1");
  EXPECT_EQ(intern.ids.Text(node->abi.name), "n1");
  EXPECT_EQ(node->uid, "u");
  EXPECT_EQ(node->resource_version, "9");
  EXPECT_EQ(node->abi.unschedulable, 1u);
  ASSERT_EQ(node->abi.labels->items.n, 2u);
  EXPECT_EQ(intern.ids.Text(BERTH_AT(node->abi.labels->items, berth_kv, 0)->key), "a");
  ASSERT_EQ(node->abi.taints.n, 2u);
  EXPECT_EQ(node->abi.taints.stride, sizeof(berth_taint));
  EXPECT_EQ(intern.ids.Text(BERTH_AT(node->abi.taints, berth_taint, 0)->key), "t2");
  EXPECT_EQ(BERTH_AT(node->abi.taints, berth_taint, 0)->effect, intern.no_execute);
  EXPECT_EQ(BERTH_AT(node->abi.taints, berth_taint, 1)->value, BERTH_ID_EMPTY);
  EXPECT_EQ(node->taints->abi.items.ptr, node->abi.taints.ptr);
  EXPECT_EQ(Spelled(intern, node->abi.allocatable), "cpu=3920 ephemeral-storage=2~ memory=34359738368 pods=110");
  EXPECT_EQ(node->abi.allocatable.stride, sizeof(berth_amount));
  ASSERT_EQ(node->images.size(), 3u);
  ASSERT_EQ(node->images[0].names.size(), 2u);
  EXPECT_EQ(intern.ids.Text(node->images[0].names[1]), "a:1");
  EXPECT_EQ(node->images[0].bytes, 123456);
  EXPECT_TRUE(node->images[2].names.empty());
  EXPECT_TRUE(node->ready);
  ASSERT_EQ(node->abi.declared_features.n, 2u);
  EXPECT_EQ(node->abi.declared_features.stride, sizeof(berth_id));
  EXPECT_EQ(intern.ids.Text(*BERTH_AT(node->abi.declared_features, berth_id, 1)), "F2");
}

TEST(DecodeNode, Empty) {
  InternTables intern;
  const NodeRef node =
      DecodedNode(intern, R"({"metadata":null,"spec":{"taints":null,"unschedulable":null},"status":{}})");
  EXPECT_EQ(node->abi.unschedulable, 0u);
  EXPECT_EQ(node->abi.taints.n, 0u);
  EXPECT_EQ(node->abi.allocatable.n, 0u);
  EXPECT_EQ(node->abi.name, BERTH_ID_EMPTY);
  EXPECT_EQ(node->zone, "");
  EXPECT_TRUE(node->ready);
}

struct ZoneCase {
  const char* labels;
  std::string zone;
};
TEST(DecodeNode, ZoneKeys) {
  using namespace std::string_literals;
  const ZoneCase cases[] = {
      {R"({})", ""},
      {R"({"topology.kubernetes.io/zone":"z"})", ":\0:z"s},
      {R"({"topology.kubernetes.io/region":"r"})", "r:\0:"s},
      {R"({"topology.kubernetes.io/region":"r","topology.kubernetes.io/zone":"z"})", "r:\0:z"s},
      {R"({"topology.kubernetes.io/zone":"z","failure-domain.beta.kubernetes.io/zone":"old"})", ":\0:old"s},
      {R"({"topology.kubernetes.io/zone":"z","failure-domain.beta.kubernetes.io/zone":""})", ""},
      {R"({"failure-domain.beta.kubernetes.io/region":"r","topology.kubernetes.io/zone":"z"})", "r:\0:z"s},
  };
  InternTables intern;
  for (const ZoneCase& c : cases) {
    const NodeRef node = DecodedNode(intern, std::string(R"({"metadata":{"labels":)") + c.labels + "}}");
    EXPECT_EQ(node->zone, c.zone) << c.labels;
  }
}

TEST(DecodeNode, Ready) {
  InternTables intern;
  const auto ready = [&](const std::string& status) {
    return DecodedNode(intern, R"({"status":{"conditions":[{"type":"Ready","status":")" + status + R"("}]}})")->ready;
  };
  EXPECT_TRUE(ready("True"));
  EXPECT_FALSE(ready("False"));
  EXPECT_FALSE(ready("Unknown"));
}

TEST(DecodeNode, ReleasesEveryId) {
  InternTables intern;
  const size_t texts = intern.ids.size();
  DecodedNode(intern, R"({"metadata":{"name":"n","labels":{"l":"m"}},"spec":{"taints":[{"key":"t"}]},
      "status":{"allocatable":{"x/y":"1"},"images":[{"names":["i","j"]}],"declaredFeatures":["F"]}})");
  EXPECT_EQ(intern.blocks.size(), 0u);
  intern.ids.EndEpoch();
  intern.ids.EndEpoch();
  EXPECT_EQ(intern.ids.size(), texts);
}

}  // namespace
}  // namespace berth::api
