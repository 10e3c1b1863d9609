#include "telemetry/metrics/plugin_series.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/metrics/kube_families.h"
#include "telemetry/metrics/registry.h"
#include "telemetry/metrics/scheduler_metrics.h"

namespace berth::metrics {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr series::Limits kLimits{
    .families = 8, .series = 8, .labels = 8, .buckets = 8, .name = 100, .help = 100, .value = 100};
const char kInstance = 0;

struct Page {
  explicit Page(Selection selection = {}) : registry(std::move(selection)) {
    registry.Serve(families);
    ShareKubeFamilies(families);
  }
  series::Cell* At(series::Kind kind, std::vector<std::string> labels, std::vector<std::string> values,
                   std::vector<double> buckets = {}) {
    const std::string help = "A \"quoted\" help.";
    auto family = families.Define("p", {"m", kind, help, std::move(labels), std::move(buckets)}, &kInstance);
    return families.At(**family, std::move(values), &kInstance).cell;
  }
  series::PluginFamilies families{kLimits};
  Registry registry;
};

TEST(PluginSeries, AreOnThePage) {
  Page page;
  page.At(series::Kind::kCounter, {"b", "a"}, {"2", "say \"hi\""})->Add(1.5);
  EXPECT_THAT(page.registry.Text(), HasSubstr("# HELP berth_custom_p_m A \"quoted\" help.\n"
                                              "# TYPE berth_custom_p_m counter\n"
                                              "berth_custom_p_m{a=\"say \\\"hi\\\"\",b=\"2\"} 1.5\n"));
}

TEST(PluginSeries, BucketsAreCumulative) {
  Page page;
  series::Cell* cell = page.At(series::Kind::kHistogram, {"a"}, {"x"}, {1, 2});
  for (const double value : {0.5, 1.5, 2.0, 9.0}) cell->Observe(value);
  EXPECT_THAT(page.registry.Text(), HasSubstr("# TYPE berth_custom_p_m histogram\n"
                                              "berth_custom_p_m_bucket{a=\"x\",le=\"1\"} 1\n"
                                              "berth_custom_p_m_bucket{a=\"x\",le=\"2\"} 3\n"
                                              "berth_custom_p_m_bucket{a=\"x\",le=\"+Inf\"} 4\n"
                                              "berth_custom_p_m_sum{a=\"x\"} 13\n"
                                              "berth_custom_p_m_count{a=\"x\"} 4\n"));
}

TEST(PluginSeries, ObeyTheFlags) {
  Page disabled(Selection({"berth_custom_p_m", "scheduler_preemption_victims"}, {}));
  EXPECT_EQ(disabled.At(series::Kind::kCounter, {}, {}), nullptr);
  EXPECT_THAT(disabled.registry.Text(), Not(HasSubstr("berth_custom_p_m")));
  EXPECT_THAT(disabled.registry.Text(), Not(HasSubstr("scheduler_preemption_victims")));

  Page limited(Selection({}, {{"berth_custom_p_m,a", "x"}}));
  limited.At(series::Kind::kCounter, {"a"}, {"x"})->Add(1);
  limited.At(series::Kind::kCounter, {"a"}, {"y"})->Add(1);
  EXPECT_THAT(limited.registry.Text(),
              HasSubstr("berth_custom_p_m{a=\"unexpected\"} 1\nberth_custom_p_m{a=\"x\"} 1\n"));
  EXPECT_THAT(limited.registry.Text(), HasSubstr("\ncardinality_enforcement_unexpected_categorizations_total 1\n"));
}

TEST(PluginSeries, FamiliesOfKubeSchedulerHaveItsDefinition) {
  Page page;
  EXPECT_THAT(page.registry.Text(),
              HasSubstr("# HELP scheduler_preemption_victims [STABLE] Number of selected preemption victims\n"
                        "# TYPE scheduler_preemption_victims histogram\n"
                        "scheduler_preemption_victims_bucket{le=\"1\"} 0\n"));
  const char* const others[] = {"scheduler_preemption_goroutines_duration_seconds",
                                "scheduler_preemption_goroutines_execution_total",
                                "scheduler_volume_scheduling_stage_error_total"};
  for (const char* name : others) {
    series::BoundedFamily* family = page.families.Shared(name, &kInstance);
    ASSERT_NE(family, nullptr) << name;
    page.families.At(*family, {"x"}, &kInstance);
    EXPECT_THAT(page.registry.Text(), HasSubstr(std::string("# HELP ") + name + " [ALPHA] "));
  }
}

// Or a plugin could write a family of the host.
TEST(PluginSeries, NoFamilyOfTheHostHasThePrefixOfPlugins) {
  Registry registry;
  const SchedulerMetrics scheduler(registry);
  for (const Family& family : registry.Families()) EXPECT_FALSE(family.name.starts_with("berth_custom_"));
}

}  // namespace
}  // namespace berth::metrics
