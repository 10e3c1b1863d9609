// The service tables of berth/domains.h and berth/pod_sets.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/node.h"
#include "berth/domains.h"
#include "berth/pod_sets.h"
#include "plugin/instance/host_table.h"
#include "scheduler/cache/cache.h"
#include "scheduler/framework/cluster_services.h"

namespace berth::framework {
namespace {

class CountServicesTest : public testing::Test {
 protected:
  CountServicesTest() {
    AddClusterServices(services_);
    SetNode("n1", R"("zone":"a")");
    SetNode("n2", "");
  }
  void SetNode(const std::string& name, const std::string& labels) {
    const auto node = api::DecodeNode(intern_, R"({"metadata":{"name":")" + name + R"(","labels":{)" + labels + "}}}");
    ASSERT_TRUE(node) << node.error().message;
    cache_.SetNode(*node);
  }
  api::PodRef PodOf(const std::string& name) {
    const auto pod = api::DecodePod(intern_, R"({"metadata":{"namespace":"ns","name":")" + name +
                                                 R"("},"spec":{"nodeName":"n1","containers":[{"name":"c"}]}})");
    EXPECT_TRUE(pod) << pod.error().message;
    return *pod;
  }
  const berth_domain_columns& Domains() {
    return *static_cast<const berth_domain_columns*>(services_.Find(BERTH_SERVICE_DOMAINS));
  }
  const berth_pod_sets& PodSets() {
    return *static_cast<const berth_pod_sets*>(services_.Find(BERTH_SERVICE_POD_SETS));
  }

  api::InternTables intern_;
  cache::Cache cache_{intern_};
  plugin::Services services_{intern_};
  base::OwnedId zone_{intern_.ids, "zone"}, ns_{intern_.ids, "ns"};
};

TEST_F(CountServicesTest, DomainsOfAKey) {
  berth_domains out{};
  out.size = sizeof out;
  ASSERT_EQ(Domains().of(cache_.snap(), zone_.get(), &out), 0);
  ASSERT_EQ(out.n, 1u);
  EXPECT_EQ(intern_.ids.Text(out.values[0]), "a");
  EXPECT_EQ(out.n_rows[0], 1u);
  EXPECT_EQ(out.of_row[0], 0u);
  EXPECT_EQ(out.of_row[1], BERTH_NO_DOMAIN);
  EXPECT_EQ(out.of_row[cache_.capacity() - 1], BERTH_NO_DOMAIN);
  EXPECT_NE(out.numbering, 0u);
  EXPECT_NE(Domains().of(cache_.snap(), BERTH_ID_ABSENT, &out), 0);
}

TEST_F(CountServicesTest, DoesNotWritePastTheStructOfAnOlderPlugin) {
  berth_domains domains{};
  domains.numbering = 77;
  domains.size = offsetof(berth_domains, numbering);
  ASSERT_EQ(Domains().of(cache_.snap(), zone_.get(), &domains), 0);
  EXPECT_EQ(domains.size, offsetof(berth_domains, numbering));
  EXPECT_EQ(domains.n, 1u);
  EXPECT_EQ(domains.numbering, 77u);
  const berth_pod_set every{sizeof every, 0, {}};
  berth_pod_counts counts{offsetof(berth_pod_counts, of_row), 0, -1, reinterpret_cast<const int32_t*>(&domains)};
  ASSERT_EQ(PodSets().counts(cache_.snap(), &every, &counts), 0);
  EXPECT_EQ(counts.total, 0);
  EXPECT_EQ(counts.of_row, reinterpret_cast<const int32_t*>(&domains));
}

TEST_F(CountServicesTest, CountsOfASet) {
  const berth_id ns = ns_.get();
  const berth_pod_match match{0, 0, nullptr, {}, {&ns, 1, sizeof ns}};
  const berth_pod_set set{sizeof set, BERTH_POD_SET_NOT_DELETED, {&match, 1, sizeof match}};
  berth_pod_counts out{sizeof out, 0, -1, nullptr};
  ASSERT_EQ(PodSets().counts(cache_.snap(), &set, &out), 0);
  EXPECT_EQ(out.total, 0);
  EXPECT_EQ(out.of_row, nullptr) << "so that a plugin need not look";
  ASSERT_TRUE(cache_.AddPod(PodOf("p")));
  ASSERT_EQ(PodSets().counts(cache_.snap(), &set, &out), 0);
  EXPECT_EQ(out.total, 1);
  EXPECT_EQ(out.of_row[0], 1);
  EXPECT_EQ(out.of_row[1], 0);
}

TEST_F(CountServicesTest, ContainsAcceptsAPodWithoutANode) {
  const berth_id ns = ns_.get();
  berth_pod_match match{0, 0, nullptr, {}, {&ns, 1, sizeof ns}};
  berth_pod_set set{sizeof set, BERTH_POD_SET_NOT_DELETED, {&match, 1, sizeof match}};
  const api::PodRef pod = PodOf("p");
  berth_pod deleted = pod->abi;
  deleted.deletion_unix_ns = 1;
  EXPECT_EQ(PodSets().contains(nullptr, &set, &pod->abi), 1);
  EXPECT_EQ(PodSets().contains(nullptr, &set, &deleted), 0);
  set.flags = 0;
  EXPECT_EQ(PodSets().contains(nullptr, &set, &deleted), 1);
  match.namespaces.n = 0;
  EXPECT_EQ(PodSets().contains(nullptr, &set, &pod->abi), 0);
}

TEST_F(CountServicesTest, RejectsUnknownSets) {
  const berth_pod_set set{sizeof set, 1u << 9, {}};
  berth_pod_counts out{sizeof out, 0, 0, nullptr};
  EXPECT_NE(PodSets().counts(cache_.snap(), &set, &out), 0);
  EXPECT_EQ(PodSets().contains(nullptr, &set, &PodOf("p")->abi), 0);
}

// Ids that the host has never given.
TEST_F(CountServicesTest, RejectsUnknownIds) {
  for (const berth_id id : {berth_id{4000}, UINT32_MAX}) {
    berth_domains domains{};
    domains.size = sizeof domains;
    EXPECT_NE(Domains().of(cache_.snap(), id, &domains), 0);
    const berth_kv pair{zone_.get(), id};
    const berth_pod_match matches[] = {{0, 0, nullptr, {}, {&id, 1, sizeof id}},
                                       {0, 0, nullptr, {&pair, 1, sizeof pair}, {}}};
    for (const berth_pod_match& match : matches) {
      const berth_pod_set set{sizeof set, 0, {&match, 1, sizeof match}};
      berth_pod_counts counts{sizeof counts, 0, 0, nullptr};
      EXPECT_NE(PodSets().counts(cache_.snap(), &set, &counts), 0);
    }
  }
}

TEST_F(CountServicesTest, NoTermMatchesARowThatTheCacheDoesNotHave) {
  const auto& selectors = *static_cast<const berth_selectors*>(services_.Find(BERTH_SERVICE_SELECTORS));
  plugin::HostContext context{&services_, nullptr};
  const berth_host host = plugin::MakeHost(&context);
  const berth_node_affinity* any = selectors.node_affinity(&host, nullptr, nullptr, nullptr);
  const uint32_t numbers[] = {0, cache_.capacity(), UINT32_MAX, 1};
  const berth_rows rows{sizeof rows, 4, 0, 0, numbers, cache_.live().words()};
  uint64_t out = 0;
  selectors.match_required(&host, cache_.snap(), any, &rows, &out);
  EXPECT_EQ(out, 0b1001u);
}

}  // namespace
}  // namespace berth::framework
