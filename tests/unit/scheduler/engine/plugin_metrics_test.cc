// Metrics of plugins while the engine publishes policies: counters do not go back, gauges follow the instances.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "berth/metrics.hpp"
#include "plugin/instance/services.h"
#include "telemetry/series/plugin_families.h"
#include "test_scheduler.h"

namespace berth::fixture {
namespace {

using testing::ElementsAre;

// Different args, so that the candidate needs a new instance.
constexpr plugin::FaultPolicy kAnother{3 * base::kSecond, 0};

class PluginMetricsTest : public testing::Test {
 protected:
  PluginMetricsTest() {
    simulation::SimulationOptions options = TestScheduler::DefaultOptions();
    options.engine.plugin_metrics = &families_;
    rig_.emplace(std::vector<ProfilePlan>{{}}, options);
    // The metrics of the newest instance, which the engine publishes.
    ScriptOf("A").reserve = [](Cycle&, const Pod&, Id) {
      const sdk::Metrics metrics(HostOf("A"));
      metrics.CountersBy("reserved_total", "Pods.", {"profile"}).At({HostOf("A").profile()}).Add();
      metrics.MakeGauge("seen", "Pods.").Add(1);
      return Status::Ok();
    };
    rig_->AddNodes({"n1"});
  }
  void Schedule(const std::string& pod) {
    rig_->AddPod(pod);
    rig_->Run();
  }
  void Publish(const std::vector<ProfilePlan>& plans) {
    engine::Engine& engine = rig_->simulation->engine();
    auto set = BuildSet(plans, rig_->services, engine.profiles().generation + 1, &engine.profiles());
    ASSERT_TRUE(set) << set.error().message;
    std::string end = "open";
    engine.SubmitCandidate(std::move(*set),
                           [&end](const base::Result<void>& ended) { end = ended ? "" : ended.error().message; });
    rig_->Run();
    ASSERT_EQ(end, "");
  }
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    for (const series::FamilySamples& family : families_.Collect()) {
      for (const series::Sample& sample : family.samples) {
        const std::string label = sample.values.empty() ? "" : "{" + sample.values.front() + "}";
        lines.push_back(family.name + label + " " + std::to_string(static_cast<int>(sample.value)));
      }
    }
    return lines;
  }

  series::PluginFamilies families_{plugin::MetricLimits()};
  std::optional<TestScheduler> rig_;
};

TEST_F(PluginMetricsTest, ANewGenerationContinuesTheCounters) {
  Schedule("p1");
  Schedule("p2");
  const std::weak_ptr<framework::Profile> before = rig_->simulation->engine().profiles().profiles[0];
  Publish({{.faults = kAnother}});
  Schedule("p3");
  EXPECT_TRUE(before.expired()) << "the old generation has retired";
  EXPECT_THAT(Lines(), ElementsAre("berth_custom_A_reserved_total{default-scheduler} 3", "berth_custom_A_seen 1"))
      << "the old instance's gauge has gone with it";
}

TEST_F(PluginMetricsTest, WithoutThePluginCountersStay) {
  Schedule("p1");
  Publish({{.plugins = {"B"}}});
  EXPECT_THAT(Lines(), ElementsAre("berth_custom_A_reserved_total{default-scheduler} 1"));
  Publish({{}});
  Schedule("p2");
  EXPECT_THAT(Lines(), ElementsAre("berth_custom_A_reserved_total{default-scheduler} 2", "berth_custom_A_seen 1"));
}

}  // namespace
}  // namespace berth::fixture
