#include "config/options/option_overlay.h"

#include <gtest/gtest.h>

#include "config/configuration/load.h"
#include "parsed.h"

namespace berth::options {
namespace {

config::Configuration Default() { return config::Load({}, {}).scheduler; }

TEST(ApplyTo, ChangesNothingWhenNothingWasSet) {
  config::Configuration c = Default();
  c.leader_election.leader_elect = false;
  c.leader_election.resource_name = "mine";
  c.client_connection.qps = 7;
  c.enable_profiling = false;
  ApplyTo(Parsed({}), c);
  EXPECT_FALSE(c.leader_election.leader_elect);
  EXPECT_EQ(c.leader_election.resource_name, "mine");
  EXPECT_EQ(c.client_connection.qps, 7);
  EXPECT_FALSE(c.enable_profiling);
}

const std::vector<std::string> kDeprecated{"--profiling=false",  "--contention-profiling=false",
                                           "--kubeconfig=/k",    "--kube-api-content-type=application/json",
                                           "--kube-api-qps=1.5", "--kube-api-burst=3"};

TEST(ApplyTo, DeprecatedFlagsOverrideTheDefaults) {
  config::Configuration c = Default();
  ApplyTo(Parsed(kDeprecated), c);
  EXPECT_FALSE(c.enable_profiling);
  EXPECT_FALSE(c.enable_contention_profiling);
  EXPECT_EQ(c.client_connection.kubeconfig, "/k");
  EXPECT_EQ(c.client_connection.content_type, "application/json");
  EXPECT_EQ(c.client_connection.qps, 1.5f);
  EXPECT_EQ(c.client_connection.burst, 3);
}

TEST(ApplyTo, DeprecatedFlagsHaveNoEffectWithAFile) {
  std::vector<std::string> arguments = kDeprecated;
  arguments.emplace_back("--config=/c.yaml");
  const config::Configuration before = Default();
  config::Configuration c = before;
  ApplyTo(Parsed(arguments), c);
  EXPECT_TRUE(c.enable_profiling);
  EXPECT_TRUE(c.enable_contention_profiling);
  EXPECT_EQ(c.client_connection.kubeconfig, "");
  EXPECT_EQ(c.client_connection.content_type, before.client_connection.content_type);
  EXPECT_EQ(c.client_connection.qps, before.client_connection.qps);
  EXPECT_EQ(c.client_connection.burst, before.client_connection.burst);
}

TEST(ApplyTo, LeaderElectionFlagsOverrideAnyConfiguration) {
  using std::chrono::seconds;
  for (const char* config : {"--config=", "--config=/c.yaml"}) {
    config::Configuration c = Default();
    c.leader_election.leader_elect = true;
    ApplyTo(
        Parsed({config, "--leader-elect=false", "--leader-elect-lease-duration=30s",
                "--leader-elect-renew-deadline=20s", "--leader-elect-retry-period=5s", "--leader-elect-resource-lock=x",
                "--leader-elect-resource-name=n", "--leader-elect-resource-namespace=s"}),
        c);
    EXPECT_FALSE(c.leader_election.leader_elect);
    EXPECT_EQ(c.leader_election.lease_duration, seconds(30));
    EXPECT_EQ(c.leader_election.renew_deadline, seconds(20));
    EXPECT_EQ(c.leader_election.retry_period, seconds(5));
    EXPECT_EQ(c.leader_election.resource_lock, "x");
    EXPECT_EQ(c.leader_election.resource_name, "n");
    EXPECT_EQ(c.leader_election.resource_namespace, "s");
  }
}

TEST(ApplyTo, AFlagThatRepeatsTheDefaultCounts) {
  config::Configuration c = Default();
  c.leader_election.leader_elect = false;
  c.leader_election.resource_name = "mine";
  ApplyTo(Parsed({"--config=/c.yaml", "--leader-elect"}), c);
  EXPECT_TRUE(c.leader_election.leader_elect);
  EXPECT_EQ(c.leader_election.resource_name, "mine");
}

TEST(ApplyTo, IsValidatedWhenTheConfigurationIsLoaded) {
  const SchedulerOptions o = Parsed({"--leader-elect-renew-deadline=20s"});
  config::LoadOptions load;
  load.overlay = [&](config::Configuration& c) { ApplyTo(o, c); };
  const config::LoadResult result = config::Load({}, load);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.scheduler.leader_election.renew_deadline, std::chrono::seconds(20));
}

}  // namespace
}  // namespace berth::options
