// Metrics of an instance: definitions, series, what is logged, and what remains when the instance ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/metrics.hpp"
#include "metric_mistakes.h"
#include "ports.h"
#include "telemetry/log/capture.h"
#include "telemetry/series/plugin_families.h"

namespace berth::plugin {
namespace {

using sdk::Metrics;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct MetricService : testing::Test, World {
  MetricService() { families.Share({BERTH_KUBE_PREEMPTION_VICTIMS, series::Kind::kHistogram, "Help.", {}, {1, 2}}); }
  ~MetricService() override { instance.reset(); }

  void Serve() { RestartWith({.metrics = &families}); }
  // Another generation, or another profile.
  std::shared_ptr<Instance> Another() {
    InstanceSpec spec;
    spec.library = fixture::ScriptedLibrary();
    spec.library_plugin = "A";
    spec.name = "renamed";
    spec.profile = "other";
    auto made = Instance::Create(std::move(spec), *services);
    if (!made) std::abort();
    return *made;
  }
  const berth_metrics& table() {
    return *static_cast<const berth_metrics*>(host().raw()->service(host().raw(), BERTH_SERVICE_METRICS));
  }
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (const series::FamilySamples& family : families.Collect()) {
      for (const series::Sample& sample : family.samples) {
        double value = sample.value;
        for (const uint64_t count : sample.distribution.counts) value += static_cast<double>(count);
        const std::string label = sample.values.empty() ? "" : "{" + sample.values.front() + "}";
        lines.push_back(family.name + label + " " + std::to_string(static_cast<int>(value)));
      }
    }
    return lines;
  }
  series::PluginFamilies families{MetricLimits()};
};

TEST_F(MetricService, RecordsEachKind) {
  Serve();
  const Metrics metrics(host());
  const sdk::Counter counter = metrics.MakeCounter("c_total", "Help.");
  counter.Add();
  counter.Add(2);
  const sdk::Gauge gauge = metrics.MakeGauge("g", "Help.");
  gauge.Set(5);
  gauge.Add(-1);
  const sdk::Histogram histogram = metrics.MakeHistogram("h", "Help.", {1, 2});
  histogram.Observe(1.5);
  metrics.CountersBy("by_total", "Help.", {"reason"}).At({"full"}).Add(7);
  metrics.KubeHistograms(BERTH_KUBE_PREEMPTION_VICTIMS).At({}).Observe(3);
  EXPECT_THAT(Lines(), ElementsAre("berth_custom_A_by_total{full} 7", "berth_custom_A_c_total 3", "berth_custom_A_g 4",
                                   "berth_custom_A_h 1", "scheduler_preemption_victims 1"));
}

TEST_F(MetricService, GenerationsAndProfilesAddUp) {
  Serve();
  const auto record = [this] {
    const Metrics metrics(host());  // of the instance made last
    metrics.MakeCounter("c_total", "Help.").Add(2);
    metrics.MakeGauge("g", "Help.").Set(3);
  };
  record();
  const auto other = Another();
  record();
  EXPECT_THAT(Lines(), ElementsAre("berth_custom_A_c_total 4", "berth_custom_A_g 6", "scheduler_preemption_victims 0"));
  instance.reset();
  EXPECT_THAT(Lines(), ElementsAre("berth_custom_A_c_total 4", "berth_custom_A_g 3", "scheduler_preemption_victims 0"));
}

TEST_F(MetricService, AfterTheLastInstanceCountersStayAndGaugesGo) {
  Serve();
  const Metrics metrics(host());
  metrics.MakeCounter("c_total", "Help.").Add(2);
  metrics.MakeGauge("g", "Help.").Set(3);
  instance.reset();
  EXPECT_THAT(Lines(), ElementsAre("berth_custom_A_c_total 2", "scheduler_preemption_victims 0"));
}

TEST_F(MetricService, AMistakeIsLoggedWithPluginFamilyAndField) {
  Serve();
  for (const MetricMistake& c : MetricMistakes()) {
    const log::Capture capture;
    std::vector<berth_str> labels;
    for (const std::string& label : c.labels) labels.push_back(sdk::Borrow(label));
    const berth_metric_spec spec{sizeof spec,
                                 c.histogram ? BERTH_METRIC_HISTOGRAM : BERTH_METRIC_COUNTER,
                                 sdk::Borrow(c.name),
                                 sdk::Borrow(c.help),
                                 {labels.data(), static_cast<uint32_t>(labels.size()), sizeof(berth_str)},
                                 {c.buckets.data(), static_cast<uint32_t>(c.buckets.size()), sizeof(double)}};
    EXPECT_EQ(table().family(host().raw(), &spec), nullptr) << c.want;
    ASSERT_THAT(capture.Messages(), testing::SizeIs(1)) << c.want;
    const std::string line = capture.Messages().front();
    EXPECT_THAT(line, HasSubstr("plugin=\"A\""));
    EXPECT_THAT(line, HasSubstr("metric=\""));
    EXPECT_THAT(line, HasSubstr(c.want.substr(0, c.want.find(':'))));
  }
  EXPECT_THAT(Lines(), ElementsAre("scheduler_preemption_victims 0"));
}

TEST_F(MetricService, AnUnknownKindAndAShortSpecAreMistakes) {
  Serve();
  berth_metric_spec spec{sizeof spec, 9, sdk::Borrow("x"), sdk::Borrow("Help."), {}, {}};
  {
    const log::Capture capture;
    EXPECT_EQ(table().family(host().raw(), &spec), nullptr);
    EXPECT_THAT(capture.Messages(), ElementsAre(HasSubstr("kind: 9 is none of BERTH_METRIC_*")));
  }
  spec.kind = BERTH_METRIC_COUNTER;
  spec.size = 8;
  const log::Capture capture;
  EXPECT_EQ(table().family(host().raw(), &spec), nullptr);
  EXPECT_THAT(capture.Messages(), ElementsAre(HasSubstr("its definition is too short")));
}

TEST_F(MetricService, NullDoesNothing) {
  Serve();
  EXPECT_EQ(table().kube(host().raw(), sdk::Borrow("scheduler_other")), nullptr);
  EXPECT_EQ(table().series(host().raw(), nullptr, nullptr, 0), nullptr);
  table().add(nullptr, 1);
  table().set(nullptr, 1);
  table().observe(nullptr, 1);
}

TEST_F(MetricService, LabelValuesOfTenantsAreBoundedAndToldOnce) {
  Serve();
  const log::Capture capture;
  const auto counters = Metrics(host()).CountersBy("c_total", "Help.", {"namespace"});
  const auto gauges = Metrics(host()).GaugesBy("g", "Help.", {"namespace"});
  for (int i = 0; i < 2000; ++i) {
    counters.At({std::to_string(i)}).Add();
    gauges.At({std::to_string(i)}).Set(1);
  }
  const std::vector<std::string> lines = Lines();
  EXPECT_EQ(lines.size(), 2 * BERTH_METRIC_MOST_SERIES + 2);
  EXPECT_THAT(lines, testing::Contains("berth_custom_A_c_total{overflow} 1744"));
  EXPECT_THAT(
      capture.Messages(),
      ElementsAre(HasSubstr("further ones count as \\\"overflow\\\"\" plugin=\"A\" metric=\"berth_custom_A_c_total\""),
                  HasSubstr("further ones are not served\" plugin=\"A\" metric=\"berth_custom_A_g\"")));
}

TEST_F(MetricService, AnotherNumberOfValuesIsToldOnce) {
  Serve();
  const log::Capture capture;
  const auto counters = Metrics(host()).CountersBy("c_total", "Help.", {"a"});
  counters.At({}).Add();
  counters.At({"1", "2"}).Add();
  EXPECT_THAT(capture.Messages(), ElementsAre(HasSubstr("its values are not as many as its labels")));
}

TEST_F(MetricService, AHostWithoutAPageWorks) {
  const log::Capture capture;
  Metrics(host()).MakeCounter("c_total", "Help.").Add();
  Metrics(host()).KubeHistograms(BERTH_KUBE_PREEMPTION_VICTIMS).At({}).Observe(1);
  EXPECT_THAT(capture.Messages(), IsEmpty());
  EXPECT_THAT(families.Collect(), testing::SizeIs(1));
}

}  // namespace
}  // namespace berth::plugin
