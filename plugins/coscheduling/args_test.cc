// Source: TestValidateCoschedulingArgs and TestSchedulerDefaults of apis/config of kubernetes-sigs/scheduler-plugins.
#include <string>
#include <vector>

#include "test_fixture.h"

namespace plugins::coscheduling {
namespace {

ArgsOutcome Checked(const FakeValue& args) { return PluginUnderTest(berth_entry_v1, "Coscheduling").Check(args); }
ArgsOutcome Completed(const FakeValue& args) { return PluginUnderTest(berth_entry_v1, "Coscheduling").Complete(args); }

FakeValue Args(int64_t wait, int64_t backoff, int64_t percentage) {
  return FakeValue::Object({{"permitWaitingTimeSeconds", wait},
                            {"podGroupBackoffSeconds", backoff},
                            {"podGroupRejectPercentage", percentage}});
}

TEST(CoschedulingArgs, AreCheckedAsUpstreamDoes) {
  struct Case {
    int64_t wait, backoff, percentage;
    Texts errors;
  };
  const std::string more = ": must be greater than 0", within = ": must be between 0 and 100";
  const std::vector<Case> cases = {
      {30, 60, 10, {}},
      {30, 0, 0, {}},
      {30, 0, 100, {}},
      {-10, 60, 10, {"permitWaitingTimeSeconds: Invalid value: -10" + more}},
      {30, -20, 10, {"podGroupBackoffSeconds: Invalid value: -20" + more}},
      {30, 0, -1, {"podGroupRejectPercentage: Invalid value: -1" + within}},
      {30, 0, 150, {"podGroupRejectPercentage: Invalid value: 150" + within}},
      {-30,
       -20,
       10,
       {"permitWaitingTimeSeconds: Invalid value: -30" + more, "podGroupBackoffSeconds: Invalid value: -20" + more}},
  };
  for (const Case& one : cases) EXPECT_EQ(Checked(Args(one.wait, one.backoff, one.percentage)).Errors(), one.errors);
}

TEST(CoschedulingArgs, HaveUpstreamsDefaults) {
  EXPECT_EQ(Completed(FakeValue::Object({})).json,
            R"({"permitWaitingTimeSeconds":60,"podGroupBackoffSeconds":0,"podGroupRejectPercentage":10})");
  EXPECT_EQ(Completed(FakeValue::Object({{"podGroupBackoffSeconds", 20}, {"podGroupRejectPercentage", 50}})).json,
            R"({"permitWaitingTimeSeconds":60,"podGroupBackoffSeconds":20,"podGroupRejectPercentage":50})");
}

TEST(CoschedulingArgs, MayNameTheirKind) {
  EXPECT_THAT(
      Completed(FakeValue::Object({{"apiVersion", "kubescheduler.config.k8s.io/v1"}, {"kind", "CoschedulingArgs"}}))
          .Errors(),
      IsEmpty());
}

// Source: decodeNestedObjects of k8s.io/kube-scheduler config/v1 types.go. Berth also reads configurations of v1beta2
// and v1beta3, and args of these versions.
TEST(CoschedulingArgs, MustBeOfTheirKind) {
  struct Case {
    const char *version, *kind;
    Texts errors = {};
  };
  const std::string group = ".kubescheduler.config.k8s.io";
  const std::string other = "kind: args for plugin Coscheduling were not of type CoschedulingArgs" + group + ", got ";
  const std::string unknown = "apiVersion: no kind \"CoschedulingArgs\" is registered for version ";
  const std::vector<Case> cases = {
      {"kubescheduler.config.k8s.io/v1", ""},
      {"kubescheduler.config.k8s.io/v1beta3", "CoschedulingArgs"},
      {"scheduler-plugins.kubescheduler.config.k8s.io/v1", "CoschedulingArgs"},
      {"kubescheduler.config.k8s.io/v1beta2", "CoschedulingArgs"},
      {"", "CoschedulingArgs"},
      {"", ""},
      {"", "NodeMetadataArgs", {other + "NodeMetadataArgs" + group}},
      {"", "Coscheduling", {other + "Coscheduling" + group}},
      {"v1", "CoschedulingArgs", {unknown + "\"v1\""}},
      {"kubescheduler.config.k8s.io", "", {unknown + "\"kubescheduler.config.k8s.io\""}},
      {"kubescheduler.config.k8s.io/v2", "", {unknown + "\"kubescheduler.config.k8s.io/v2\""}},
      {"scheduling.x-k8s.io/v1", "", {unknown + "\"scheduling.x-k8s.io/v1\""}},
  };
  for (const Case& one : cases) {
    const FakeValue args = FakeValue::Object({{"apiVersion", one.version}, {"kind", one.kind}});
    EXPECT_EQ(Completed(args).Errors(), one.errors) << one.version << " " << one.kind;
  }
}

TEST(CoschedulingArgs, MayNotHaveUnknownFields) {
  EXPECT_THAT(Completed(FakeValue::Object({{"kubeConfigPath", "/var/run/kubernetes/kube.config"}})).Errors(),
              ElementsAre(::testing::HasSubstr("unknown field \"kubeConfigPath\"")));
}

}  // namespace
}  // namespace plugins::coscheduling
