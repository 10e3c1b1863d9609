// Compares the families of a daemon's registry with those that kube-scheduler 1.36.3 registers. The table comes from
// tests/cluster/cmd/families, which reads the registry of kube-scheduler itself.
#include "telemetry/metrics/kube_families.h"
#include "telemetry/metrics/leader_election_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "telemetry/metrics/access_metrics.h"
#include "telemetry/metrics/health_metrics.h"
#include "telemetry/metrics/process_metrics.h"
#include "telemetry/metrics/registry.h"
#include "telemetry/metrics/request_metrics.h"
#include "telemetry/metrics/scheduler_metrics.h"
#include "telemetry/metrics/text_format.h"
#include "telemetry/metrics/version_metrics.h"

namespace berth::metrics {
namespace {

struct Facts {
  std::string kind, stability, labels, buckets, gate, help;
};

std::map<std::string, Facts> KubeScheduler() {
  std::map<std::string, Facts> all;
  std::ifstream file(BERTH_TEST_SOURCE_DIR "/tests/data/metrics/kube-scheduler-1.36.3.tsv");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) continue;
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
    fields.resize(8);
    all[fields[0]] = {fields[1], fields[2], fields[4], fields[5], fields[6], fields[7]};
  }
  return all;
}

std::string Joined(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ",") + text;
  return joined;
}

std::string Joined(const std::vector<double>& numbers) {
  std::string joined;
  for (const double number : numbers) joined += (joined.empty() ? "" : ",") + FormatNumber(number);
  return joined;
}

// The families that the daemon declares, with every feature gate that adds families enabled.
std::vector<Family> Berth() {
  Registry registry;
  const SchedulerMetrics scheduler(registry);
  const RequestMetrics requests(registry, "host");
  const LeaderElectionMetrics election(registry, "kube-scheduler");
  registry.Declare(WorkqueueFamilies());
  registry.Declare(AsyncApiCallFamilies());
  registry.Declare(PodGroupFamilies());
  const AccessMetrics access(registry);
  AddProcessMetrics(registry);
  AddVersionMetrics(registry, {});
  return registry.Families();
}

// Families of kube-scheduler that Berth does not have. docs/metrics.md says why.
const std::vector<std::string>& LeftOut() {
  static const std::vector<std::string> prefixes{"aggregator_discovery_", "apiserver_", "go_",
                                                 "grpc_client_",          "informer_",  "konnectivity_network_proxy"};
  return prefixes;
}

bool IsLeftOut(const std::string& name) {
  if (name.starts_with("apiserver_delegated_")) return false;
  return std::any_of(LeftOut().begin(), LeftOut().end(), [&](const auto& prefix) { return name.starts_with(prefix); });
}

TEST(KubeFamilies, BerthHasThoseOfKubeScheduler) {
  const auto want = KubeScheduler();
  ASSERT_GT(want.size(), 100u);
  std::map<std::string, Family> have;
  for (const Family& family : Berth()) have[family.name] = family;
  for (const auto& [name, facts] : want) {
    SCOPED_TRACE(name);
    const auto found = have.find(name);
    if (IsLeftOut(name)) {
      EXPECT_EQ(found, have.end()) << "it is not left out any more: remove it from the list";
      continue;
    }
    ASSERT_NE(found, have.end()) << "Berth has no such family";
    const Family& family = found->second;
    EXPECT_EQ(HelpText(family), facts.help);
    EXPECT_EQ(Joined(family.labels), facts.labels);
    EXPECT_EQ(Joined(family.buckets), facts.buckets);
    EXPECT_EQ(StabilityName(family.stability), facts.stability);
    if (facts.kind != "collector") {
      EXPECT_EQ(KindName(family.kind), facts.kind);
    }
  }
}

TEST(KubeFamilies, AllOthersHaveThePrefixOfBerth) {
  const auto kube = KubeScheduler();
  for (const Family& family : Berth()) {
    if (kube.contains(family.name)) continue;
    if (family.name == "go_goroutines" || family.name == "go_threads") continue;  // not in the table: of the runtime
    EXPECT_TRUE(family.name.starts_with("berth_")) << family.name;
  }
}

TEST(KubeFamilies, OnlyFeatureGatesAddThese) {
  const auto kube = KubeScheduler();
  const auto check = [&](const std::vector<Family>& families, const std::string& gate) {
    for (const Family& family : families) EXPECT_EQ(kube.at(family.name).gate, gate) << family.name;
  };
  check(SchedulerFamilies(), "");
  check(AsyncApiCallFamilies(), "SchedulerAsyncAPICalls");
  check(PodGroupFamilies(), "GenericWorkload");
}

TEST(HealthMetrics, CountResults) {
  Registry registry;
  HealthMetrics health(registry);
  health.Checked("ping", "livez", true);
  health.Checked("ping", "livez", false);
  const std::string text = registry.Text();
  EXPECT_THAT(text, testing::HasSubstr("# HELP kubernetes_healthcheck [STABLE] This metric records the result of a "
                                       "single healthcheck.\n# TYPE kubernetes_healthcheck gauge\n"
                                       "kubernetes_healthcheck{name=\"ping\",type=\"livez\"} 0\n"));
  EXPECT_THAT(text,
              testing::HasSubstr("kubernetes_healthchecks_total{name=\"ping\",status=\"error\",type=\"livez\"} 1"));
  EXPECT_THAT(text, testing::HasSubstr("# HELP process_start_time_seconds [ALPHA] "));
}

TEST(RequestMetrics, CountByVerbCodeAndHost) {
  Registry registry;
  RequestMetrics requests(registry, "10.0.0.1:6443");
  requests.Ended("POST", 201, 0.3, 100, 2000);
  requests.Ended("GET", 0, 1, 0, 0);
  requests.Watched("GET", 200);
  requests.Delayed("POST", 0.01);
  requests.Retried("POST", 429);
  const std::string text = registry.Text();
  for (const char* line : {
           "rest_client_requests_total{code=\"201\",host=\"10.0.0.1:6443\",method=\"POST\"} 1\n",
           "rest_client_requests_total{code=\"<error>\",host=\"10.0.0.1:6443\",method=\"GET\"} 1\n",
           "rest_client_requests_total{code=\"200\",host=\"10.0.0.1:6443\",method=\"GET\"} 1\n",
           "rest_client_request_duration_seconds_bucket{host=\"10.0.0.1:6443\",verb=\"POST\",le=\"0.5\"} 1\n",
           "rest_client_request_size_bytes_sum{host=\"10.0.0.1:6443\",verb=\"POST\"} 100\n",
           "rest_client_response_size_bytes_sum{host=\"10.0.0.1:6443\",verb=\"POST\"} 2000\n",
           "rest_client_rate_limiter_duration_seconds_count{host=\"10.0.0.1:6443\",verb=\"POST\"} 1\n",
           "rest_client_request_retries_total{code=\"429\",host=\"10.0.0.1:6443\",verb=\"POST\"} 1\n",
           "rest_client_exec_plugin_ttl_seconds +Inf\n",
       }) {
    EXPECT_THAT(text, testing::HasSubstr(line));
  }
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("rest_client_response_size_bytes_sum{host=\"10.0.0.1:6443\","
                                                    "verb=\"GET\"}")));
}

TEST(ProcessMetrics, ReadProc) {
  Registry registry;
  AddProcessMetrics(registry);
  const std::string text = registry.Text();
  EXPECT_THAT(text, testing::HasSubstr("\nprocess_cpu_seconds_total "));  // may be less than a tick
  for (const char* name :
       {"process_open_fds ", "process_resident_memory_bytes ", "process_start_time_seconds ", "process_max_fds "}) {
    EXPECT_THAT(text, testing::HasSubstr(std::string("\n") + name));
    EXPECT_THAT(text, testing::Not(testing::HasSubstr(std::string("\n") + name + "0\n")));
  }
}

TEST(ProcessMetrics, CountThreadsAsGoroutinesForDashboardsOfKubeScheduler) {
  Registry registry;
  AddProcessMetrics(registry);
  const auto value = [&](const std::string& name) {
    const std::string text = registry.Text();
    const size_t at = text.find("\n" + name + " ");
    return at == std::string::npos ? 0 : std::stoi(text.substr(at + name.size() + 2));
  };
  std::promise<void> counted;
  const std::shared_future<void> end = counted.get_future().share();
  const std::jthread first([end] { end.wait(); });  // a sanitizer adds a thread of its own to it
  const int before = value("go_goroutines");
  EXPECT_GE(before, 2);
  const std::jthread second([end] { end.wait(); });
  EXPECT_EQ(value("go_goroutines"), before + 1);
  EXPECT_EQ(value("go_threads"), before + 1);
  counted.set_value();
}

TEST(VersionMetrics, NameTheRelease) {
  Registry registry;
  AddVersionMetrics(registry, {{"Some", "BETA", true}, {"Other", "", false}});
  const std::string text = registry.Text();
  EXPECT_THAT(text, testing::HasSubstr("git_version=\"v1.36.3\""));
  EXPECT_THAT(text, testing::HasSubstr(
                        "version_info{binary=\"1.36\",component=\"kube\",emulation=\"1.36\",min_compat=\"1.35\"} 1\n"));
  EXPECT_THAT(text, testing::HasSubstr("kubernetes_feature_enabled{name=\"Other\",stage=\"\"} 0\n"
                                       "kubernetes_feature_enabled{name=\"Some\",stage=\"BETA\"} 1\n"));
}

}  // namespace
}  // namespace berth::metrics
