#include "telemetry/metrics/leader_election_metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::metrics {
namespace {

using testing::HasSubstr;

TEST(LeaderElectionMetrics, HaveTheNamesAndHelpTextsOfKubeScheduler) {
  Registry registry;
  const LeaderElectionMetrics metrics(registry, "kube-scheduler");
  EXPECT_THAT(registry.Text(), HasSubstr("leader_election_master_status{name=\"kube-scheduler\"} 0\n"));
  metrics.LeaderOn();
  metrics.SlowpathExercised();
  metrics.SlowpathExercised();
  const std::string text = registry.Text();
  EXPECT_THAT(text, HasSubstr("# HELP leader_election_master_status [ALPHA] Gauge of if the reporting system is master "
                              "of the relevant lease, 0 indicates backup, 1 indicates master. 'name' is the string "
                              "used to identify the lease. Please make sure to group by name.\n"));
  EXPECT_THAT(text, HasSubstr("leader_election_master_status{name=\"kube-scheduler\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("# HELP leader_election_slowpath_total [ALPHA] Total number of slow path exercised in "
                              "renewing leader leases. 'name' is the string used to identify the lease. Please make "
                              "sure to group by name.\n"));
  EXPECT_THAT(text, HasSubstr("leader_election_slowpath_total{name=\"kube-scheduler\"} 2\n"));
  metrics.LeaderOff();
  EXPECT_THAT(registry.Text(), HasSubstr("leader_election_master_status{name=\"kube-scheduler\"} 0\n"));
}

TEST(LeaderElectionMetrics, DoNothingWithoutARegistry) {
  const LeaderElectionMetrics none;
  none.LeaderOn();
  none.LeaderOff();
  none.SlowpathExercised();
}

}  // namespace
}  // namespace berth::metrics
