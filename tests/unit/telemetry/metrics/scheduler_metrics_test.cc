#include "telemetry/metrics/scheduler_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace berth::metrics {
namespace {

using testing::Contains;
using testing::Each;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> Lines(const Registry& registry) {
  std::vector<std::string> lines;
  std::istringstream in(registry.Text());
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Metrics {
  Registry registry;
  SchedulerMetrics scheduler{registry};
  std::vector<std::string> lines() const { return Lines(registry); }
};

TEST(SchedulerMetrics, AttemptsAreCountedAndTimedByProfileAndResult) {
  Metrics m;
  m.scheduler.AttemptOver("default-scheduler", AttemptResult::kScheduled, 0.003);
  m.scheduler.AttemptOver("default-scheduler", AttemptResult::kScheduled, 0.3);
  m.scheduler.AttemptOver("other", AttemptResult::kUnschedulable, 100);
  m.scheduler.AttemptOver("other", AttemptResult::kError, 0.001);
  const auto lines = m.lines();
  const std::string attempts = "scheduler_schedule_attempts_total";
  EXPECT_THAT(lines, Contains(attempts + "{profile=\"default-scheduler\",result=\"scheduled\"} 2"));
  EXPECT_THAT(lines, Contains(attempts + "{profile=\"other\",result=\"unschedulable\"} 1"));
  EXPECT_THAT(lines, Contains(attempts + "{profile=\"other\",result=\"error\"} 1"));
  EXPECT_THAT(lines, Contains("# TYPE " + attempts + " counter"));
  const std::string seconds = "scheduler_scheduling_attempt_duration_seconds_";
  const std::string scheduled = "{profile=\"default-scheduler\",result=\"scheduled\"";
  EXPECT_THAT(lines, Contains(seconds + "bucket" + scheduled + ",le=\"0.002\"} 0"));
  EXPECT_THAT(lines, Contains(seconds + "bucket" + scheduled + ",le=\"0.004\"} 1"));
  EXPECT_THAT(lines, Contains(seconds + "bucket" + scheduled + ",le=\"16.384\"} 2"));
  EXPECT_THAT(lines, Contains(seconds + "bucket{profile=\"other\",result=\"unschedulable\",le=\"+Inf\"} 1"));
  EXPECT_THAT(lines, Contains(seconds + "count" + scheduled + "} 2"));
}

TEST(SchedulerMetrics, BoundPodsAreTimedByTheAttemptsTheyTook) {
  Metrics m;
  m.scheduler.PodScheduled(1, 0.02, false);
  m.scheduler.PodScheduled(14, 1, true);
  m.scheduler.PodScheduled(15, 1, false);
  m.scheduler.PodScheduled(200, 1, true);
  const auto lines = m.lines();
  const std::string sli = "scheduler_pod_scheduling_sli_duration_seconds_";
  EXPECT_THAT(lines, Contains(sli + "count{attempts=\"1\"} 1"));
  EXPECT_THAT(lines, Contains(sli + "bucket{attempts=\"1\",le=\"0.02\"} 1"));
  EXPECT_THAT(lines, Contains(sli + "bucket{attempts=\"1\",le=\"5242.88\"} 1"));
  EXPECT_THAT(lines, Contains(sli + "count{attempts=\"14\"} 1"));
  EXPECT_THAT(lines, Contains(sli + "count{attempts=\"15+\"} 2"));
  EXPECT_THAT(lines, Contains("scheduler_pod_scheduling_attempts_bucket{le=\"1\"} 1"));
  EXPECT_THAT(lines, Contains("scheduler_pod_scheduling_attempts_bucket{le=\"16\"} 3"));
  EXPECT_THAT(lines, Contains("scheduler_pod_scheduling_attempts_sum 230"));
  EXPECT_THAT(lines, Contains("scheduler_pod_scheduled_after_flush_total 2"));
}

TEST(SchedulerMetrics, QueuesAreCounted) {
  Metrics m;
  m.scheduler.PodQueued(Queue::kActive, "UnscheduledPodAdd");
  m.scheduler.PodQueued(Queue::kBackoff, "NodeAdd");
  m.scheduler.PodQueued(Queue::kBackoff, "NodeAdd");
  m.scheduler.PodQueued(Queue::kGated, "UnscheduledPodAdd");
  m.scheduler.SetPending(Queue::kActive, 3);
  m.scheduler.SetPending(Queue::kActive, 2);
  m.scheduler.SetPending(Queue::kGated, 5);
  const auto lines = m.lines();
  EXPECT_THAT(lines, Contains("scheduler_queue_incoming_pods_total{event=\"UnscheduledPodAdd\",queue=\"active\"} 1"));
  EXPECT_THAT(lines,
              Contains("scheduler_queue_incoming_pods_total{event=\"UnscheduledPodAdd\",queue=\"unschedulable\"} 1"));
  EXPECT_THAT(lines, Contains("scheduler_queue_incoming_pods_total{event=\"NodeAdd\",queue=\"backoff\"} 2"));
  EXPECT_THAT(lines, Contains("scheduler_pending_pods{queue=\"active\"} 2"));
  EXPECT_THAT(lines, Contains("scheduler_pending_pods{queue=\"backoff\"} 0"));
  EXPECT_THAT(lines, Contains("scheduler_pending_pods{queue=\"unschedulable\"} 0"));
  EXPECT_THAT(lines, Contains("scheduler_pending_pods{queue=\"gated\"} 5"));
}

TEST(SchedulerMetrics, ReasonsAndEventsGoUpAndDown) {
  Metrics m;
  m.scheduler.AddUnschedulable("NodeAffinity", "a", 1);
  m.scheduler.AddUnschedulable("NodeAffinity", "a", 1);
  m.scheduler.AddUnschedulable("NodeAffinity", "b", 1);
  m.scheduler.AddUnschedulable("NodeAffinity", "a", -1);
  m.scheduler.AddInFlightEvents("PodPopped", 1);
  m.scheduler.AddInFlightEvents("NodeAdd", 4);
  m.scheduler.AddInFlightEvents("NodeAdd", -3);
  const auto lines = m.lines();
  EXPECT_THAT(lines, Contains("scheduler_unschedulable_pods{plugin=\"NodeAffinity\",profile=\"a\"} 1"));
  EXPECT_THAT(lines, Contains("scheduler_unschedulable_pods{plugin=\"NodeAffinity\",profile=\"b\"} 1"));
  EXPECT_THAT(lines, Contains("scheduler_inflight_events{event=\"PodPopped\"} 1"));
  EXPECT_THAT(lines, Contains("scheduler_inflight_events{event=\"NodeAdd\"} 1"));
}

TEST(SchedulerMetrics, FaultsByPluginProfileAndPoint) {
  Metrics m;
  EXPECT_THAT(m.lines(), Each(Not(StartsWith("berth_plugin_faults_total{"))));
  m.scheduler.PluginFault("Mine", "a", "Filter");
  m.scheduler.PluginFault("Mine", "a", "Filter");
  m.scheduler.PluginFault("Mine", "b", "Less");
  const auto lines = m.lines();
  EXPECT_THAT(lines, Contains("berth_plugin_faults_total{extension_point=\"Filter\",plugin=\"Mine\",profile=\"a\"} 2"));
  EXPECT_THAT(lines, Contains("berth_plugin_faults_total{extension_point=\"Less\",plugin=\"Mine\",profile=\"b\"} 1"));
}

TEST(SchedulerMetrics, OpenOperationsByPluginAndPoint) {
  Metrics m;
  m.scheduler.SetOpenOperations("Mine", "PreBind", 3, 2.5);
  m.scheduler.SetOpenOperations("Mine", "Bind", 1, 1);
  m.scheduler.SetOpenOperations("Mine", "Bind", 0, 0);
  const auto lines = m.lines();
  EXPECT_THAT(lines, Contains("berth_plugin_operations_pending{extension_point=\"PreBind\",plugin=\"Mine\"} 3"));
  EXPECT_THAT(lines,
              Contains("berth_plugin_operation_oldest_seconds{extension_point=\"PreBind\",plugin=\"Mine\"} 2.5"));
  EXPECT_THAT(lines, Contains("berth_plugin_operations_pending{extension_point=\"Bind\",plugin=\"Mine\"} 0"));
}

TEST(SchedulerMetrics, OpenHandles) {
  Metrics m;
  m.scheduler.algorithm_seconds.Observe(0.5);
  m.scheduler.cached_nodes.Set(5);
  m.scheduler.cached_pods.Set(6);
  m.scheduler.assumed_pods.Set(7);
  m.scheduler.events_dropped.Increment(8);
  const auto lines = m.lines();
  EXPECT_THAT(lines, Contains("scheduler_scheduling_algorithm_duration_seconds_bucket{le=\"0.512\"} 1"));
  EXPECT_THAT(lines, Contains("scheduler_cache_size{type=\"nodes\"} 5"));
  EXPECT_THAT(lines, Contains("scheduler_cache_size{type=\"pods\"} 6"));
  EXPECT_THAT(lines, Contains("scheduler_cache_size{type=\"assumed_pods\"} 7"));
  EXPECT_THAT(lines, Contains("berth_events_dropped_total 8"));
}

TEST(SchedulerMetrics, SeriesAppearWithTheirFirstValue) {
  Metrics m;
  EXPECT_THAT(m.lines(), Each(Not(StartsWith("scheduler_schedule_attempts_total"))));
  EXPECT_THAT(m.lines(), Each(Not(StartsWith("scheduler_pod_scheduling_sli_duration_seconds"))));
}

}  // namespace
}  // namespace berth::metrics
