// The metrics that a running daemon writes.
#include "cluster/daemon/telemetry.h"

#include <gmock/gmock.h>

#include "cluster/daemon/own_metrics.h"
#include "daemon_fixture.h"

namespace berth::daemon {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct TelemetryTest : DaemonTest {
  metrics::Registry registry;
  metrics::SchedulerMetrics scheduler{registry};
  Telemetry telemetry{scheduler, intern};
  OwnMetrics own{registry, intern};

  std::string Measured() {
    return OnSchedulingThread([this](engine::Engine& engine) {
      telemetry.Measure(engine, 0);
      own.Measure(*daemon);
      return registry.Text();
    });
  }
};

TEST_F(TelemetryTest, EvaluationsExistFromTheStart) {
  StartWithNode();
  EXPECT_THAT(
      Measured(),
      AllOf(HasSubstr("scheduler_plugin_evaluation_total{extension_point=\"Filter\",plugin=\"A\",profile="
                      "\"default-scheduler\"} 0\n"),
            HasSubstr("scheduler_goroutines{operation=\"binding\"} 0\n"),
            HasSubstr("scheduler_preemption_attempts_total 0\n"),
            HasSubstr("berth_watch_broken_seconds{resource=\"nodes\"} 0\n"),
            HasSubstr("berth_requests{queue=\"api\",state=\"in_flight\"} 0\n"),
            HasSubstr("berth_plugins_quarantined 0\n"), HasSubstr("berth_table_entries{table=\"queued_pods\"} 0\n")));
}

TEST_F(TelemetryTest, ReasonsOfPendingPodsComeAndGo) {
  StartWithNode();
  const auto wait = [this](const std::map<std::string, uint64_t>& reasons) {
    return OnSchedulingThread([&](engine::Engine& engine) { return engine.queue().rejections().Add(reasons); });
  };
  const auto forget = [this](queue::RejectionCounts::Share& share) {
    OnSchedulingThread([&](engine::Engine&) {
      share = {};
      return 0;
    });
  };
  auto cpu = wait({{"Insufficient cpu", 3}});
  auto taint = wait({{"Insufficient cpu", 1}, {"untolerated taint", 2}});
  EXPECT_THAT(Measured(), AllOf(HasSubstr("berth_unschedulable_nodes{reason=\"Insufficient cpu\"} 4\n"),
                                HasSubstr("berth_unschedulable_pods{reason=\"Insufficient cpu\"} 2\n"),
                                HasSubstr("berth_unschedulable_nodes{reason=\"untolerated taint\"} 2\n")));
  forget(taint);
  EXPECT_THAT(Measured(), AllOf(HasSubstr("berth_unschedulable_nodes{reason=\"Insufficient cpu\"} 3\n"),
                                testing::Not(HasSubstr("untolerated"))));
  forget(cpu);
  EXPECT_THAT(Measured(), testing::Not(HasSubstr("Insufficient cpu")));
}

TEST_F(TelemetryTest, DurationsOfPointsArriveInTheMetrics) {
  StartWithNode();
  OnSchedulingThread([](engine::Engine& engine) {
    framework::ProfileTimes& times = engine.profiles().profiles.front()->times();
    times.AddPoint(framework::TimedPoint::kFilter, plugin::Code::kSuccess, 150'000);
    times.AddPlugin(framework::TimedPoint::kFilter, 0, plugin::Code::kUnschedulable, 15'000);
    times.AddPermitWait(plugin::Code::kSuccess, 2'000'000);
    times.AddCycleWithoutHint();
    return 0;
  });
  EXPECT_THAT(Measured(),
              AllOf(HasSubstr("scheduler_framework_extension_point_duration_seconds_bucket{extension_point=\"Filter\","
                              "profile=\"default-scheduler\",status=\"Success\",le=\"0.0002\"} 1\n"),
                    HasSubstr("scheduler_framework_extension_point_duration_seconds_sum{extension_point=\"Filter\","
                              "profile=\"default-scheduler\",status=\"Success\"} 0.00015\n"),
                    HasSubstr("scheduler_plugin_execution_duration_seconds_bucket{extension_point=\"Filter\","
                              "plugin=\"A\",status=\"Unschedulable\",le=\"1.5000000000000002e-05\"} 1\n"),
                    HasSubstr("scheduler_permit_wait_duration_seconds_count{result=\"Success\"} 1\n"),
                    HasSubstr("scheduler_batch_attempts_total{profile=\"default-scheduler\",result=\"no_hint\"} 1\n")));
}

TEST_F(TelemetryTest, EventsAndHintsAreTimed) {
  StartWithNode();
  const base::OwnedId plugin(intern.ids, "A");
  OnSchedulingThread([&](engine::Engine&) {
    const api::ClusterEvent event{api::kResourceNode, BERTH_ACTION_ADD, {}};
    telemetry.OnClusterEvent(event, 1000);
    telemetry.HintAsked(plugin.get(), event, 3, 0, false, 1000);
    telemetry.HintAsked(plugin.get(), event, 3, 1, false, 1000);
    telemetry.HintAsked(plugin.get(), event, 3, 3, true, 1000);
    return 0;
  });
  EXPECT_THAT(
      Measured(),
      AllOf(HasSubstr("scheduler_event_handling_duration_seconds_count{event=\"NodeAdd\"} 1\n"),
            HasSubstr("scheduler_queueing_hint_execution_duration_seconds_count{event=\"NodeAdd\",hint=\"Error\","
                      "plugin=\"A\"} 1\n"),
            HasSubstr("scheduler_queueing_hint_execution_duration_seconds_count{event=\"NodeAdd\",hint=\"Queue\","
                      "plugin=\"A\"} 1\n"),
            HasSubstr("scheduler_queueing_hint_execution_duration_seconds_count{event=\"NodeAdd\","
                      "hint=\"QueueSkip\",plugin=\"A\"} 1\n")));
}

TEST_F(TelemetryTest, PodsOnNodesAreResourceMetrics) {
  server.Say(kNodesPath, "ADDED", NodeJson("n1"));
  server.EndOfList(kNodesPath);
  server.EndOfList(kPodsPath);
  Start();
  ASSERT_TRUE(Eventually([&] { return daemon->handlers_synced(); }));
  EXPECT_EQ(daemon->ResourceMetrics().status, 200);
}

}  // namespace
}  // namespace berth::daemon
