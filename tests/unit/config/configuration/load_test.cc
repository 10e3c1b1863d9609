#include "config/configuration/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config_helpers.h"

namespace berth::config {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

std::string Old(const char* version, const std::string& body) {
  return std::string("apiVersion: kubescheduler.config.k8s.io/") + version + "\nkind: KubeSchedulerConfiguration\n" +
         body;
}

std::vector<std::string> ConfigNames(const Profile& profile) {
  std::vector<std::string> names;
  for (const PluginConfig& config : profile.plugin_config) names.push_back(config.name);
  return names;
}

TEST(Load, NoSourceGivesTheDefaults) {
  const LoadResult r = Load({}, {});
  ASSERT_TRUE(r.ok());
  const Configuration& c = r.scheduler;
  EXPECT_EQ(c.parallelism, 16);
  EXPECT_EQ(c.percentage_of_nodes_to_score, 0);
  EXPECT_EQ(c.pod_initial_backoff_seconds, 1);
  EXPECT_EQ(c.pod_max_backoff_seconds, 10);
  EXPECT_TRUE(c.enable_profiling);
  EXPECT_TRUE(c.enable_contention_profiling);
  EXPECT_FALSE(c.delay_cache_until_active);
  EXPECT_TRUE(c.leader_election.leader_elect);
  EXPECT_EQ(c.leader_election.lease_duration, seconds(15));
  EXPECT_EQ(c.leader_election.renew_deadline, seconds(10));
  EXPECT_EQ(c.leader_election.retry_period, seconds(2));
  EXPECT_EQ(c.leader_election.resource_lock, "leases");
  EXPECT_EQ(c.leader_election.resource_name, "kube-scheduler");
  EXPECT_EQ(c.leader_election.resource_namespace, "kube-system");
  EXPECT_EQ(c.client_connection.content_type, "application/vnd.kubernetes.protobuf");
  EXPECT_EQ(c.client_connection.qps, 50);
  EXPECT_EQ(c.client_connection.burst, 100);
  ASSERT_THAT(c.profiles, SizeIs(1));
  EXPECT_EQ(c.profiles[0].scheduler_name, "default-scheduler");
  EXPECT_FALSE(c.profiles[0].percentage_of_nodes_to_score);
  EXPECT_THAT(ConfigNames(c.profiles[0]),
              ElementsAre("DefaultPreemption", "DynamicResources", "InterPodAffinity", "NodeAffinity",
                          "NodeResourcesBalancedAllocation", "NodeResourcesFit", "PodTopologySpread", "VolumeBinding"));
}

// Names and values of upstream's TestSchedulerDefaults, as far as they differ from the above.
TEST(Load, DefaultsDependOnWhatIsSet) {
  EXPECT_TRUE(LoadText(V1("profiles: [{}]\n")).scheduler.profiles[0].scheduler_name == "default-scheduler");
  const LoadResult named = LoadText(V1("profiles: [{schedulerName: ''}]\n"));
  EXPECT_THAT(Lines(named.errors), ElementsAre("f.yaml:3:28: profiles[0].schedulerName: Required value"));
  const LoadResult r =
      LoadText(V1("parallelism: 8\npercentageOfNodesToScore: 50\nenableProfiling: false\n"
                  "delayCacheUntilActive: true\nprofiles: [{percentageOfNodesToScore: 10}]\n"
                  "leaderElection: {leaseDuration: 0s, resourceLock: ''}\nclientConnection: {qps: 0, burst: 0}\n"));
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.scheduler.parallelism, 8);
  EXPECT_EQ(r.scheduler.percentage_of_nodes_to_score, 50);
  EXPECT_EQ(r.scheduler.profiles[0].percentage_of_nodes_to_score, 10);
  EXPECT_FALSE(r.scheduler.enable_contention_profiling);
  EXPECT_TRUE(r.scheduler.delay_cache_until_active);
  EXPECT_EQ(r.scheduler.leader_election.lease_duration, seconds(15));
  EXPECT_EQ(r.scheduler.leader_election.resource_lock, "leases");
  EXPECT_EQ(r.scheduler.client_connection.qps, 50);
  EXPECT_EQ(r.scheduler.client_connection.burst, 100);
}

TEST(Load, UserConfigsComeFirstAndDefaultsFollow) {
  const LoadResult r =
      LoadText(V1("profiles:\n- plugins: {multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: "
                  "DefaultBinder}, "
                  "{name: VolumeBinding}, {name: NodeResourcesFit}]}}\n  pluginConfig: [{name: VolumeBinding}, {name: "
                  "foo, args: {bar: [1]}}]\n"));
  ASSERT_TRUE(r.ok());
  const Profile& profile = r.scheduler.profiles[0];
  EXPECT_THAT(ConfigNames(profile), ElementsAre("VolumeBinding", "foo", "NodeResourcesFit"));
  EXPECT_EQ(profile.plugin_config[0].args.Find("bindTimeoutSeconds")->integer(), 600);
  EXPECT_EQ(json::Dump(profile.plugin_config[1].args), R"({"bar":[1]})");
}

TEST(Load, AcceptsJson) {
  const LoadResult r = LoadText(
      R"({"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "parallelism": 3})");
  ASSERT_TRUE(r.ok());
  EXPECT_EQ(r.scheduler.parallelism, 3);
  EXPECT_THAT(ErrorsOf("{\"apiVersion\": \"kubescheduler.config.k8s.io/v1\",\n\"kind\": "
                       "\"KubeSchedulerConfiguration\",\n \"paralelism\": 3,"
                       "\n \"kind\": \"KubeSchedulerConfiguration\"}"),
              ElementsAre("f.yaml:3:2: paralelism: unknown field \"paralelism\" (did you mean \"parallelism\"?)",
                          "f.yaml:4:2: kind: key \"kind\" already set in map"));
}

TEST(Load, OverlayRunsBeforeValidation) {
  LoadOptions options;
  options.overlay = [](Configuration& c) { c.leader_election.resource_lock = "endpoints"; };
  EXPECT_THAT(Lines(Load({{"f.yaml", V1("leaderElection: {resourceLock: x}\n")}}, options).errors),
              ElementsAre("f.yaml:3:32: leaderElection.resourceLock: Invalid value: \"endpoints\": resourceLock value "
                          "must be \"leases\""));
}

TEST(Load, V1beta2) {
  LoadOptions options;
  options.resolver = TestResolver();
  const LoadResult r = LoadText(
      Old("v1beta2",
          "healthzBindAddress: \"0.0.0.0:0\"\nprofiles:\n- plugins:\n"
          "    multiPoint: {enabled: [{name: Priority}]}\n"
          "    filter: {enabled: [{name: Priority}], disabled: [{name: NodeName}]}\n"
          "    score: {disabled: [{name: '*'}], enabled: [{name: randScore, weight: 3}, {name: NodeAffinity}]}\n"
          "  pluginConfig:\n  - name: NodeResourcesFit\n    args: {apiVersion: kubescheduler.config.k8s.io/v1beta2, "
          "kind: NodeResourcesFitArgs}\n"),
      options);
  ASSERT_THAT(Lines(r.errors), IsEmpty());
  EXPECT_THAT(
      Lines(r.warnings),
      ElementsAre(
          "f.yaml:6:5: profiles[0].plugins.multiPoint: has no effect in kubescheduler.config.k8s.io/v1beta2, as in "
          "kube-scheduler; write the file as kubescheduler.config.k8s.io/v1"));
  EXPECT_EQ(
      Shown(r.profiles[0], Point::kFilter),
      "NodeUnschedulable TaintToleration NodeAffinity NodePorts NodeResourcesFit VolumeRestrictions NodeVolumeLimits "
      "VolumeBinding VolumeZone PodTopologySpread InterPodAffinity DynamicResources Priority");
  EXPECT_EQ(Shown(r.profiles[0], Point::kScore), "randScore=3 NodeAffinity=1");
  EXPECT_EQ(Shown(r.profiles[0], Point::kPostFilter), "DynamicResources DefaultPreemption");
  EXPECT_EQ(r.scheduler.profiles[0].plugin_config[0].args.Find("apiVersion")->string(),
            "kubescheduler.config.k8s.io/v1");
  EXPECT_EQ(r.scheduler.healthz_bind_address, "0.0.0.0:0");
}

TEST(Load, OldVersionsKnowOnlyTheirFields) {
  EXPECT_THAT(
      ErrorsOf(Old("v1beta3",
                   "delayCacheUntilActive: true\nhealthzBindAddress: ''\nprofiles: [{percentageOfNodesToScore: 5, "
                   "plugins: {placementScore: {}}}]\n")),
      ElementsAre("f.yaml:3:1: delayCacheUntilActive: unknown field \"delayCacheUntilActive\"",
                  "f.yaml:4:1: healthzBindAddress: unknown field \"healthzBindAddress\"",
                  "f.yaml:5:13: profiles[0].percentageOfNodesToScore: unknown field \"percentageOfNodesToScore\"",
                  "f.yaml:5:52: profiles[0].plugins.placementScore: unknown field \"placementScore\""));
  EXPECT_THAT(ErrorsOf(Old("v1beta2", "healthzBindAddress: nowhere\nmetricsBindAddress: 'x:10251'\n")),
              ElementsAre("f.yaml:3:21: healthzBindAddress: Invalid value: \"nowhere\": address nowhere: "
                          "missing port in address",
                          "f.yaml:4:21: metricsBindAddress: Invalid value: \"x:10251\": must be a valid IP "
                          "address, (e.g. 10.9.8.7 or "
                          "2001:db8::ffff)",
                          "f.yaml:4:21: metricsBindAddress: Invalid value: \"x:10251\": must be empty or with "
                          "an explicit 0 port"));
}

TEST(Load, PluginsThatOldVersionsRemoved) {
  EXPECT_THAT(ErrorsOf(Old("v1beta3",
                           "profiles:\n- plugins:\n    multiPoint: {enabled: [{name: NodePreferAvoidPods}]}\n"
                           "    filter: {enabled: [{name: ServiceAffinity}, {name: EBSLimits}]}\n  pluginConfig: "
                           "[{name: NodeLabel}]\n")),
              ElementsAre("f.yaml:5:35: profiles[0].plugins.multiPoint.enabled[0]: Invalid value: "
                          "\"NodePreferAvoidPods\": was removed from "
                          "Kubernetes; taint the node with effect PreferNoSchedule, or use node affinity in the pod",
                          "f.yaml:6:31: profiles[0].plugins.filter.enabled[0]: Invalid value: \"ServiceAffinity\": was "
                          "removed from Kubernetes; "
                          "use pod affinity or topologySpreadConstraints in the pod",
                          "f.yaml:7:18: profiles[0].pluginConfig[0]: Invalid value: \"NodeLabel\": was removed from "
                          "Kubernetes; use NodeAffinity "
                          "with args addedAffinity"));
}

TEST(Load, LegacyPluginsAreLeftOutUnlessProvided) {
  LoadOptions options;
  options.resolver = TestResolver();
  const std::string text =
      Old("v1beta3", "profiles:\n- plugins:\n    score: {enabled: [{name: SelectorSpread, weight: 2}]}\n");
  const LoadResult without = LoadText(text, options);
  EXPECT_THAT(Lines(without.errors), IsEmpty());
  EXPECT_THAT(
      Lines(without.warnings),
      ElementsAre(
          "f.yaml:4:3: profiles[0]: not in Kubernetes 1.36 and provided by no library, so left out: SelectorSpread"));
  EXPECT_EQ(Shown(without.profiles[0], Point::kScore).find("SelectorSpread"), std::string::npos);
  options.resolver = InTreePoints;
  const LoadResult with = LoadText(text, options);
  EXPECT_THAT(Lines(with.warnings), IsEmpty());
  EXPECT_THAT(Shown(with.profiles[0], Point::kScore), testing::EndsWith("SelectorSpread=2"));
  EXPECT_THAT(Shown(with.profiles[0], Point::kFilter),
              testing::HasSubstr("VolumeRestrictions EBSLimits GCEPDLimits NodeVolumeLimits AzureDiskLimits"));
}

TEST(Load, UnknownPluginsAreErrorsWithAResolver) {
  LoadOptions options;
  options.resolver = TestResolver();
  const LoadResult r = LoadText(
      V1("profiles:\n- plugins:\n    multiPoint: {enabled: [{name: Nope}]}\n    filter:\n      enabled:\n      - name: "
         "randScore\n"
         "      - name: Nada\n      - name: Priority\n      - name: Priority\n    bind: {disabled: [{name: '*'}]}\n"),
      options);
  EXPECT_THAT(
      Lines(r.errors),
      ElementsAre(
          "f.yaml:5:35: profiles[0].plugins.multiPoint: PreFilterPlugin \"Nope\" does not exist",
          "f.yaml:8:15: profiles[0].plugins.filter: plugin \"randScore\" does not extend FilterPlugin plugin",
          "f.yaml:9:15: profiles[0].plugins.filter: FilterPlugin \"Nada\" does not exist",
          "f.yaml:11:15: profiles[0].plugins.filter: plugin \"Priority\" already registered as \"FilterPlugin\"",
          "f.yaml:12:11: profiles[0].plugins.bind: at least one bind plugin is needed for profile with scheduler name "
          "\"default-scheduler\""));
}

class PickyJudge : public ArgsValidator {
 public:
  json::Value Complete(const std::string& plugin, json::Value args) override {
    completed.push_back(plugin);
    if (plugin == "Picky") args.Set("added", true);
    return args;
  }
  void Check(const std::string& plugin, const json::Value& args, const Sink& sink) override {
    if (plugin != "Picky") return;
    if (args.FindPath("a.b")) sink("a.b[0].c", "Invalid value: too picky");
    if (!args.Find("name")) sink("", "Required value: name");
  }
  std::vector<std::string> completed;
};

TEST(Load, AJudgeDecidesAboutOtherArgs) {
  PickyJudge args_validator;
  LoadOptions options;
  options.args_validator = &args_validator;
  const LoadResult r =
      LoadText(V1("profiles:\n- pluginConfig:\n  - name: Picky\n    args:\n      a:\n        b:\n        - c: 1\n"
                  "  - name: VolumeBinding\n    args: {bindTimeoutSeconds: -1}\n"),
               options);
  EXPECT_THAT(Lines(r.errors),
              ElementsAre("f.yaml:7:7: profiles[0].pluginConfig[0].args: Required value: name",
                          "f.yaml:9:14: profiles[0].pluginConfig[0].args.a.b[0].c: Invalid value: too picky"));
  EXPECT_THAT(args_validator.completed, ElementsAre("Picky"));
  EXPECT_TRUE(r.scheduler.profiles[0].plugin_config[0].args.Find("added")->boolean());
}

TEST(Load, BerthConfigurationInTheSameFileOrItsOwn) {
  const std::string berth = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\nseed: 7\n";
  const LoadResult one = LoadText(berth + "---\n" + V1("parallelism: 2\n"));
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one.berth.seed, 7);
  EXPECT_EQ(one.scheduler.parallelism, 2);
  const LoadResult two = Load({{"a.yaml", V1("parallelism: 2\n")}, {"b.yaml", berth}}, {});
  ASSERT_TRUE(two.ok());
  EXPECT_EQ(two.berth.seed, 7);
  const LoadResult alone = LoadText(berth);
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(alone.scheduler.profiles[0].scheduler_name, "default-scheduler");
  EXPECT_THAT(Lines(Load({{"a.yaml", berth}, {"b.yaml", berth}}, {}).errors),
              ElementsAre("b.yaml:1:1: kind: Duplicate value: \"BerthConfiguration\""));
}

}  // namespace
}  // namespace berth::config
