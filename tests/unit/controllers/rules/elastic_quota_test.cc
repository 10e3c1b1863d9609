#include "controllers/rules/elastic_quota.h"

#include <gtest/gtest.h>

#include "controllers/rules/pod_facts.h"
#include "controllers/rules/status_patch.h"

namespace berth::rules {
namespace {

// "cpu=1 memory=2" as the object {"cpu":"1","memory":"2"}.
std::string ListJson(const std::string& text) {
  std::string json = "{";
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size()), equals = text.find('=', at);
    json += (json.size() > 1 ? ",\"" : "\"") + text.substr(at, equals - at) + "\":\"" +
            text.substr(equals + 1, end - equals - 1) + "\"";
    at = end + 1;
  }
  return json + "}";
}

std::string ContainersJson(const std::vector<std::string>& requests) {
  std::string json = "[";
  for (const std::string& list : requests) {
    json +=
        (json.size() > 1 ? "," : "") + std::string(R"({"name":"c","resources":{"requests":)") + ListJson(list) + "}}";
  }
  return json + "]";
}

struct TestPod {
  std::string ns, name, phase;
  std::vector<std::string> containers, init_containers = {};
  std::string overhead = "";
};

std::string PodText(const TestPod& pod) {
  return R"({"metadata":{"namespace":")" + pod.ns + R"(","name":")" + pod.name + R"(","resourceVersion":"3"},)" +
         R"("spec":{"overhead":)" + ListJson(pod.overhead) + R"(,"initContainers":)" +
         ContainersJson(pod.init_containers) + R"(,"containers":)" + ContainersJson(pod.containers) +
         R"(},"status":{"phase":")" + pod.phase + "\"}}";
}

ElasticQuota Quota(const std::string& ns, const std::string& min, const std::string& max) {
  auto quota = ReadElasticQuota(R"({"metadata":{"namespace":")" + ns + R"(","name":"eq"},"spec":{"min":)" +
                                ListJson(min) + R"(,"max":)" + ListJson(max) + "}}");
  EXPECT_TRUE(quota) << quota.error().message;
  return *quota;
}

std::string TextOf(const Amounts& amounts) {
  std::string text;
  for (const auto& [name, amount] : amounts) text += (text.empty() ? "" : " ") + name + "=" + amount.Text();
  return text;
}

Amounts UsedOf(const ElasticQuota& quota, const std::vector<TestPod>& pods) {
  Amounts used = NothingUsed(quota);
  for (const TestPod& pod : pods) {
    const auto facts = ReadPodFacts(PodText(pod));
    EXPECT_TRUE(facts) << facts.error().message;
    if (facts && facts->ns == quota.meta.ns) Add(used, facts->requests);
  }
  return used;
}

struct UsedCase {
  const char* name;
  std::string min, max;
  std::vector<TestPod> pods;
  std::string want;
};

class Used : public testing::TestWithParam<UsedCase> {};

TEST_P(Used, IsTheSum) {
  const UsedCase& c = GetParam();
  EXPECT_EQ(TextOf(UsedOf(Quota("ns1", c.min, c.max), c.pods)), c.want);
}

// TestElasticQuotaController_Run in kubernetes-sigs/scheduler-plugins pkg/controllers/elasticquota_controller_test.go.
INSTANTIATE_TEST_SUITE_P(
    Upstream, Used,
    testing::Values(UsedCase{.name = "no init Containers pod",
                             .min = "cpu=3 memory=5",
                             .max = "cpu=5 memory=15 nvidia.com/gpu=1",
                             .pods = {{"ns1", "pod1", "Running", {"cpu=1 memory=2 nvidia.com/gpu=1"}},
                                      {"ns1", "pod2", "Pending", {"cpu=1 memory=2 nvidia.com/gpu=0"}}},
                             .want = "cpu=1 memory=2 nvidia.com/gpu=1"},
                    UsedCase{.name = "have init Containers pod",
                             .min = "cpu=3 memory=5",
                             .max = "cpu=5 memory=15",
                             .pods = {{"ns1", "pod1", "Running", {"cpu=1 memory=2", "cpu=1 memory=2"}},
                                      {"ns1",
                                       "pod2",
                                       "Running",
                                       {"cpu=2 memory=1", "cpu=1 memory=1"},
                                       {"cpu=2 memory=1", "cpu=2 memory=3"}}},
                             .want = "cpu=5 memory=7"},
                    UsedCase{.name = "min and max have the same fields",
                             .min = "cpu=3 memory=5",
                             .max = "cpu=5 memory=15",
                             .pods = {},
                             .want = "cpu=0 memory=0"},
                    UsedCase{.name = "min and max have the different fields",
                             .min = "cpu=3 memory=5 nvidia.com/gpu=2",
                             .max = "cpu=5 memory=15",
                             .pods = {},
                             .want = "cpu=0 memory=0 nvidia.com/gpu=0"},
                    UsedCase{
                        .name = "pod and eq in the different namespaces",
                        .min = "cpu=3 memory=5 nvidia.com/gpu=2",
                        .max = "cpu=50 memory=15",
                        .pods = {{"ns3", "pod1", "Running", {"cpu=1 memory=2 nvidia.com/gpu=1", "cpu=1 memory=2"}}},
                        .want = "cpu=0 memory=0 nvidia.com/gpu=0"}));

INSTANTIATE_TEST_SUITE_P(
    Own, Used,
    testing::Values(
        UsedCase{.name = "other phases count nothing",
                 .min = "cpu=3",
                 .max = "",
                 .pods = {{"ns1", "a", "Succeeded", {"cpu=1"}},
                          {"ns1", "b", "Failed", {"cpu=1"}},
                          {"ns1", "c", "Unknown", {"cpu=1"}},
                          {"ns1", "d", "", {"cpu=1"}}},
                 .want = "cpu=0"},
        UsedCase{.name = "resources outside of min and max",
                 .min = "cpu=3",
                 .max = "cpu=5",
                 .pods = {{"ns1", "a", "Running", {"memory=1Gi example.com/fpga=2"}}},
                 .want = "cpu=0 example.com/fpga=2 memory=1Gi"},
        UsedCase{.name = "the overhead counts",
                 .min = "",
                 .max = "",
                 .pods = {{"ns1", "a", "Running", {"cpu=1"}, {"cpu=2"}, "cpu=250m memory=120Mi"}},
                 .want = "cpu=2250m memory=120Mi"},
        UsedCase{.name = "fractions add up exactly",
                 .min = "",
                 .max = "",
                 .pods = {{"ns1", "a", "Running", {"cpu=100m", "cpu=900m"}}, {"ns1", "b", "Running", {"cpu=1u"}}},
                 .want = "cpu=1000001u"},
        UsedCase{.name = "a sum has the format of its first part",
                 .min = "memory=1G",
                 .max = "",
                 .pods = {{"ns1", "a", "Running", {"memory=1Gi"}}, {"ns1", "b", "Running", {"memory=1024M"}}},
                 .want = "memory=2048576Ki"},
        UsedCase{.name = "a pod without requests",
                 .min = "cpu=1",
                 .max = "",
                 .pods = {{"ns1", "a", "Running", {""}}, {"ns1", "b", "Running", {}}},
                 .want = "cpu=0"}));

TEST(UsedPatch, HasOnlyWhatHasChanged) {
  const auto amounts = [](const std::string& text) { return Quota("ns", text, "").min; };
  EXPECT_EQ(UsedPatch(amounts("cpu=1 memory=1Gi"), amounts("cpu=1000m memory=1024Mi")), std::nullopt);
  EXPECT_EQ(UsedPatch({}, {}), std::nullopt);
  EXPECT_EQ(UsedPatch({}, amounts("cpu=0")), R"({"status":{"used":{"cpu":"0"}}})");
  EXPECT_EQ(UsedPatch(amounts("cpu=1 memory=1Gi pods=3"), amounts("cpu=1500m memory=1Gi")),
            R"({"status":{"used":{"cpu":"1500m","pods":null}}})");
}

TEST(ElasticQuota, IsReadWithNumbersAndWithoutParts) {
  const auto quota = ReadElasticQuota(
      R"({"metadata":{"namespace":"ns","name":"eq","uid":"u","resourceVersion":"7"},"spec":{"max":{"cpu":2}},)"
      R"("status":{"used":{"cpu":"500m"}}})");
  ASSERT_TRUE(quota);
  EXPECT_EQ(quota->meta.key(), "ns/eq");
  EXPECT_EQ(quota->meta.resource_version, "7");
  EXPECT_TRUE(quota->min.empty());
  EXPECT_EQ(TextOf(quota->max), "cpu=2");
  EXPECT_EQ(TextOf(quota->used), "cpu=500m");
}

TEST(ElasticQuota, NamesTheFieldThatCannotBeRead) {
  const auto quota = ReadElasticQuota(R"({"metadata":{"namespace":"ns","name":"eq"},"spec":{"min":{"cpu":"x"}}})");
  ASSERT_FALSE(quota);
  EXPECT_EQ(quota.error().message,
            "elasticquota \"eq\": spec.min[cpu]: quantities must match the regular expression "
            "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

}  // namespace
}  // namespace berth::rules
