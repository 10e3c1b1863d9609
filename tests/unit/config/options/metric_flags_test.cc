#include "config/options/metric_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "config/options/validate_options.h"
#include "parsed.h"

namespace berth::options {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::string WriteManifest(const std::string& text) {
  const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string path = testing::TempDir() + "manifest-" + test->name() + ".yaml";
  std::ofstream(path, std::ios::trunc) << text;
  return path;
}

TEST(MetricErrors, AreThoseOfKubeScheduler) {
  const struct {
    const char* name;
    std::vector<std::string> flags;
    std::vector<std::string> want;
  } kCases[] = {
      {.name = "none", .flags = {}, .want = {}},
      {.name = "all right",
       .flags = {"--show-hidden-metrics-for-version=1.35", "--disabled-metrics=a,b:c", "--allow-metric-labels=m,l=x"},
       .want = {}},
      {.name = "another version",
       .flags = {"--show-hidden-metrics-for-version=1.34"},
       .want = {"metrics.showHiddenMetricsForVersion: Invalid value: \"1.34\": must be omitted or have the value "
                "'1.35'; only the previous minor version is allowed"}},
      {.name = "no name of a metric",
       .flags = {"--disabled-metrics=ok,1bad"},
       .want = {"metrics.disabledMetrics: Invalid value: [\"ok\",\"1bad\"]: must be fully qualified metric names "
                "matching \"^[a-zA-Z_:][a-zA-Z0-9_:]*$\", got \"1bad\""}},
      {.name = "no file",
       .flags = {"--allow-metric-labels-manifest=/nowhere/list.yaml"},
       .want = {"metrics.allowListMappingManifest: Invalid value: \"/nowhere/list.yaml\": failed to read allow list "
                "manifest: open /nowhere/list.yaml: no such file or directory"}},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(MetricErrors(Parsed(c.flags).metrics), c.want);
    EXPECT_EQ(Errors(Parsed(c.flags), {}), c.want);
  }
}

TEST(MetricErrors, KeysOfAllowedLabels) {
  Metrics metrics;
  metrics.allow_metric_labels = {{"metric", "a"}};
  EXPECT_THAT(MetricErrors(metrics),
              ElementsAre("metrics.allowListMapping: Invalid value: {\"metric\":\"a\"}: must have keys with format "
                          "`metricName,labelName` where metricName matches \"[a-zA-Z_:][a-zA-Z0-9_:]*\" and labelName "
                          "matches \"[a-zA-Z_][a-zA-Z0-9_]*\""));
}

TEST(MetricErrors, FlagAndManifest) {
  Metrics metrics;
  metrics.allow_metric_labels = {{"m,l", "a"}};
  metrics.allow_metric_labels_manifest = WriteManifest("m,l: a\n");
  EXPECT_THAT(MetricErrors(metrics),
              ElementsAre("metrics: Invalid value: {\"allowListMapping\":{\"m,l\":\"a\"},"
                          "\"allowListMappingManifest\":\"" +
                          metrics.allow_metric_labels_manifest +
                          "\"}: cannot specify both allowListMapping and allowListMappingManifest"));
}

TEST(AllowedMetricLabels, ComeFromTheManifest) {
  Metrics metrics;
  metrics.allow_metric_labels_manifest = WriteManifest("\"m1,l1\": \"a,b\"\nm2,l2: \"\"\n");
  EXPECT_THAT(MetricErrors(metrics), IsEmpty());
  EXPECT_THAT(AllowedMetricLabels(metrics), ElementsAre(Pair("m1,l1", "a,b"), Pair("m2,l2", "")));
}

TEST(MetricErrors, AManifestWithAWrongKey) {
  Metrics metrics;
  metrics.allow_metric_labels_manifest = WriteManifest("wrong: a\n");
  EXPECT_THAT(
      MetricErrors(metrics),
      ElementsAre(testing::HasSubstr("invalid allow list mapping in manifest: [metrics.allowListMappingManifest")));
}

TEST(MetricFlags, HaveAnEffect) {
  const SchedulerOptions options =
      Parsed({"--disabled-metrics=a", "--allow-metric-labels=m,l=x", "--show-hidden-metrics-for-version=1.35"});
  EXPECT_THAT(options.unserved, IsEmpty());
}

}  // namespace
}  // namespace berth::options
