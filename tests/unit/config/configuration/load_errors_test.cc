#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "config_helpers.h"

namespace berth::config {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

TEST(LoadErrors, WrongDocuments) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "f.yaml:1:1: holds neither a KubeSchedulerConfiguration nor a BerthConfiguration"},
      {"# only\n---\n", "f.yaml:1:1: holds neither a KubeSchedulerConfiguration nor a BerthConfiguration"},
      {"kind: KubeSchedulerConfiguration\n", "f.yaml:1:1: apiVersion: Object 'apiVersion' is missing"},
      {"apiVersion: kubescheduler.config.k8s.io/v1\n", "f.yaml:1:1: kind: Object 'Kind' is missing"},
      {"- a\n", "f.yaml:1:1: expected an object with apiVersion and kind"},
      {"\napiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration\n",
       "f.yaml:2:13: apiVersion: no kind \"KubeSchedulerConfiguration\" is registered for version "
       "\"kubescheduler.config.k8s.io/v1beta1\"; Berth reads v1, v1beta3 and v1beta2 of kubescheduler.config.k8s.io"},
      {"apiVersion: kubescheduler.config.k8s.io/v1\nkind: VolumeBindingArgs\n",
       "f.yaml:2:7: kind: couldn't decode as KubeSchedulerConfiguration, got kubescheduler.config.k8s.io/v1, "
       "Kind=VolumeBindingArgs"},
      {"apiVersion: v1\nkind: Pod\n",
       "f.yaml:1:13: apiVersion: no kind \"Pod\" is registered for version \"v1\"; Berth reads "
       "KubeSchedulerConfiguration and "
       "BerthConfiguration"},
      {"apiVersion: kubescheduler.config.k8s.io/v1\nkind: kubeSchedulerConfiguration\n",
       "f.yaml:2:7: kind: no kind \"kubeSchedulerConfiguration\" is registered for version "
       "\"kubescheduler.config.k8s.io/v1\"; Berth "
       "reads KubeSchedulerConfiguration and BerthConfiguration"},
      {"a: b: c\n", "f.yaml:1:5: illegal map value"},
      {"{\"apiVersion\": \"v1\",\n \"kind\" 5}",
       "f.yaml:2:9: syntax error while parsing object separator - unexpected number literal; "
       "expected ':'"},
  };
  for (const auto& [text, error] : cases) EXPECT_THAT(ErrorsOf(text), ElementsAre(StartsWith(error))) << text;
  const std::string twice = V1("") + "---\n" + V1("");
  EXPECT_THAT(ErrorsOf(twice), ElementsAre("f.yaml:4:1: kind: Duplicate value: \"KubeSchedulerConfiguration\""));
}

TEST(LoadErrors, APluginWithoutANameIsUnknown) {
  LoadOptions options;
  options.resolver = TestResolver();
  for (const char* plugin : {"{weight: 2}", "null", "{name: null}", "{}"}) {
    const std::string text = V1("profiles:\n- plugins:\n    score:\n      enabled: [" + std::string(plugin) + "]\n");
    EXPECT_THAT(Lines(LoadText(text, options).errors),
                ElementsAre(testing::AllOf(StartsWith("f.yaml:6:"),
                                           EndsWith("profiles[0].plugins.score: ScorePlugin \"\" does not exist"))))
        << plugin;
  }
  const LoadResult disabled = LoadText(V1("profiles:\n- plugins:\n    score:\n      disabled: [null]\n"), options);
  EXPECT_THAT(Lines(disabled.errors), IsEmpty());
  EXPECT_EQ(disabled.scheduler.profiles[0].plugins.at(Point::kScore).disabled.size(), 1u);
}

TEST(LoadErrors, UnreachableExtenders) {
  LoadOptions options;
  options.unreachable = [](const std::string& url) { return url.starts_with("http://") ? "" : "no URL"; };
  const std::string text =
      V1("extenders:\n"
         "- urlPrefix: http://a\n"
         "- filterVerb: f\n"
         "  urlPrefix: b:1\n"
         "- filterVerb: f\n");
  EXPECT_THAT(Lines(LoadText(text, options).errors),
              ElementsAre("f.yaml:6:14: extenders[1].urlPrefix: no URL", "f.yaml:7:3: extenders[2].urlPrefix: no URL"));
  EXPECT_THAT(ErrorsOf(text), IsEmpty());
}

// A plugin that requires args.shape, like RequestedToCapacityRatio.
class WantsShape final : public ArgsValidator {
 public:
  json::Value Complete(const std::string&, json::Value args) override { return args; }
  void Check(const std::string& plugin, const json::Value& args, const Sink& sink) override {
    if (plugin == "Priority" && args.Find("shape") == nullptr) sink("shape", "Required value");
    if (plugin == "randScore" && args.is_null()) sink("", "no args");
  }
};

TEST(LoadErrors, PluginsThatRequireArgs) {
  WantsShape args_validator;
  LoadOptions options;
  options.args_validator = &args_validator;
  options.resolver = TestResolver();
  const auto errors = [&](const std::string& profile) {
    return Lines(LoadText(V1("profiles:\n- plugins:\n" + profile), options).errors);
  };
  const char* shape = "profiles[0].plugins.score: initializing plugin \"Priority\": args: shape: Required value";
  EXPECT_THAT(errors("    score: {enabled: [{name: Priority}]}\n"), ElementsAre(std::string("f.yaml:5:30: ") + shape));
  // If the plugin is at several extension points, the error appears once.
  EXPECT_THAT(errors("    filter: {enabled: [{name: Priority}]}\n    score: {enabled: [{name: Priority}]}\n"),
              ElementsAre(EndsWith("args: shape: Required value")));
  EXPECT_THAT(errors("    score: {enabled: [{name: randScore}]}\n"),
              ElementsAre(EndsWith("initializing plugin \"randScore\": args: no args")));
  // Args are checked where they are; a plugin that runs nowhere needs none.
  EXPECT_THAT(
      errors("    score: {enabled: [{name: Priority}]}\n  pluginConfig: [{name: Priority, args: {shape: 1}}]\n"),
      IsEmpty());
  EXPECT_THAT(errors("    score: {enabled: [{name: Priority}]}\n  pluginConfig: [{name: Priority, args: {x: 1}}]\n"),
              ElementsAre(EndsWith("profiles[0].pluginConfig[0].args.shape: Required value")));
  EXPECT_THAT(errors("    filter: {enabled: [{name: filteringNode}]}\n"), IsEmpty());
}

TEST(LoadErrors, UnusedArgsCountAsQueueSortArgsAsUpstream) {
  const std::string second = "- schedulerName: b\n  pluginConfig: [{args: {x: 1}}]\n";
  EXPECT_THAT(
      ErrorsOf(V1("profiles:\n- schedulerName: a\n" + second)),
      ElementsAre(testing::AllOf(StartsWith("f.yaml:6:"), EndsWith("queueSort must be the same for all profiles"))));
  EXPECT_THAT(ErrorsOf(V1("profiles:\n" + second)), IsEmpty());
}

TEST(LoadErrors, AllErrorsAtOnceInOrder) {
  const std::string text =
      V1("parallelism: abc\n"
         "leaderElection:\n"
         "  leaderElect: \"yes\"\n"
         "  leaderElect: true\n"
         "  leaseDuration: 15\n"
         "  renewDeadline: 10x\n"
         "  resourceLock: endpoints\n"
         "clientConection: {}\n"
         "percentageOfNodesToScore: 1.5\n"
         "podMaxBackoffSeconds: 0\n"
         "profiles:\n"
         "- schedulerName: a\n"
         "  percentageOfNodesToScore: 101\n"
         "  plugins:\n"
         "    filtr:\n"
         "      enabled: []\n"
         "    score:\n"
         "      enabled:\n"
         "      - name: X\n"
         "        wieght: 5\n"
         "      - W\n"
         "    filter:\n"
         "      enabled: [{name: EBSLimits}]\n"
         "  pluginConfig:\n"
         "  - name: DefaultPreemption\n"
         "    args:\n"
         "      minCandidateNodesPercentage: -1\n"
         "      minCandidateNodes: 5\n"
         "  - name: DefaultPreemption\n"
         "- schedulerName: a\n"
         "extenders:\n"
         "- prioritizeVerb: p\n"
         "  weight: 0\n"
         "  httpTimeout: soon\n"
         "  tlsConfig: {certData: '&&'}\n"
         "  managedResources: [{name: cpu}]\n");
  const std::vector<std::string> expected = {
      "f.yaml:3:14: parallelism: Invalid value: \"abc\": expected int32, got string",
      "f.yaml:6:3: leaderElection.leaderElect: key \"leaderElect\" already set in map",
      "f.yaml:7:18: leaderElection.leaseDuration: Invalid value: 15: expected a duration such as \"15s\", got "
      "number",
      "f.yaml:8:18: leaderElection.renewDeadline: Invalid value: \"10x\": time: unknown unit \"x\" in duration "
      "\"10x\"",
      "f.yaml:9:17: leaderElection.resourceLock: Invalid value: \"endpoints\": resourceLock value must be "
      "\"leases\"",
      "f.yaml:10:1: clientConection: unknown field \"clientConection\" (did you mean \"clientConnection\"?)",
      "f.yaml:11:27: percentageOfNodesToScore: Invalid value: 1.5: expected int32, got a number with a "
      "fraction",
      "f.yaml:12:23: podMaxBackoffSeconds: Invalid value: 0: must be greater than or equal to "
      "PodInitialBackoffSeconds",
      "f.yaml:15:29: profiles[0].percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]",
      "f.yaml:17:5: profiles[0].plugins.filtr: unknown field \"filtr\" (did you mean \"filter\"?)",
      "f.yaml:22:9: profiles[0].plugins.score.enabled[0].wieght: unknown field \"wieght\" (did you mean \"weight\"?)",
      "f.yaml:23:9: profiles[0].plugins.score.enabled[1]: Invalid value: \"W\": expected an object, got string",
      "f.yaml:25:24: profiles[0].plugins.filter.enabled[0]: Invalid value: \"EBSLimits\": was invalid in "
      "version "
      "\"v1\" "
      "(KubeSchedulerConfiguration is version \"kubescheduler.config.k8s.io/v1\")",
      "f.yaml:29:36: profiles[0].pluginConfig[0].args.minCandidateNodesPercentage: Invalid value: -1: not in "
      "valid "
      "range [0, 100]",
      "f.yaml:30:7: profiles[0].pluginConfig[0].args.minCandidateNodes: unknown field \"minCandidateNodes\"",
      "f.yaml:31:5: profiles[0].pluginConfig[1]: Duplicate value: \"DefaultPreemption\"",
      "f.yaml:32:18: profiles[1].schedulerName: Duplicate value: \"a\"",
      "f.yaml:35:11: extenders[0].weight: Invalid value: 0: must have a positive weight applied to it",
      "f.yaml:36:16: extenders[0].httpTimeout: Invalid value: \"soon\": time: invalid duration \"soon\"",
      "f.yaml:37:25: extenders[0].tlsConfig.certData: Invalid value: illegal base64 data at input byte 0",
      "f.yaml:38:29: extenders[0].managedResources[0].name: Invalid value: \"cpu\": is an invalid extended "
      "resource "
      "name",
  };
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> errors = ErrorsOf(text);
  const auto took = std::chrono::steady_clock::now() - start;
  EXPECT_THAT(errors, ElementsAreArray(expected));
  EXPECT_LT(took, std::chrono::seconds(5));
}

// Names and values of upstream's TestValidateKubeSchedulerConfigurationV1; all texts were compared with that program's.
TEST(LoadErrors, UpstreamsValidationCases) {
  struct Case {
    const char* name;
    const char* body;
    std::vector<std::string> errors;
  };
  const std::string qualified =
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric "
      "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
      "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const Case cases[] = {
      {"good",
       "parallelism: 8\nprofiles: [{schedulerName: me, percentageOfNodesToScore: 35}, {schedulerName: other}]\n",
       {}},
      {"bad-parallelism-invalid-value",
       "parallelism: 0\n",
       {"f.yaml:3:14: parallelism: Invalid value: 0: should be an integer value greater than zero"}},
      {"bad-resource-lock-not-leases",
       "leaderElection: {resourceLock: configmap}\n",
       {"f.yaml:3:32: leaderElection.resourceLock: Invalid value: \"configmap\": resourceLock value must be "
        "\"leases\""}},
      {"not electing, not checked", "leaderElection: {leaderElect: false, resourceLock: x, leaseDuration: -1s}\n", {}},
      {"lease not longer than the deadline",
       "leaderElection: {leaseDuration: 10s}\n",
       {"f.yaml:3:33: leaderElection.leaseDuration: Invalid value: \"10s\": must be greater than "
        "`RenewDeadline`"}},
      {"negative durations",
       "leaderElection: {leaseDuration: -1s, renewDeadline: -2s, retryPeriod: -1ns}\n",
       {"f.yaml:3:33: leaderElection.leaseDuration: Invalid value: \"-1s\": must be greater than zero",
        "f.yaml:3:53: leaderElection.renewDeadline: Invalid value: \"-2s\": must be greater than zero",
        "f.yaml:3:71: leaderElection.retryPeriod: Invalid value: \"-1ns\": must be greater than zero"}},
      {"a duration without a value",
       "leaderElection: {retryPeriod: null}\n",
       {"f.yaml:3:31: leaderElection.retryPeriod: Invalid value: null: time: invalid duration \"\""}},
      {"bad-percentage-of-nodes-to-score",
       "percentageOfNodesToScore: 101\n",
       {"f.yaml:3:27: percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]"}},
      {"negative-percentage-of-nodes-to-score",
       "percentageOfNodesToScore: -1\n",
       {"f.yaml:3:27: percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]"}},
      {"scheduler-name-not-set",
       "profiles: [{schedulerName: me}, {}]\n",
       {"f.yaml:3:33: profiles[1].schedulerName: Required value"}},
      {"repeated-scheduler-name",
       "profiles: [{schedulerName: me}, {schedulerName: me}]\n",
       {"f.yaml:3:49: profiles[1].schedulerName: Duplicate value: \"me\""}},
      {"negative-profile-percentage-of-nodes-to-score",
       "profiles: [{percentageOfNodesToScore: -1}]\n",
       {"f.yaml:3:39: profiles[0].percentageOfNodesToScore: Invalid value: -1: not in valid range [0-100]"}},
      {"different-queue-sort",
       "profiles: [{schedulerName: a, plugins: {queueSort: {enabled: [{name: CustomSort}]}}},\n"
       " {schedulerName: b, plugins: {queueSort: {enabled: [{name: OtherSort}]}}}]\n",
       {"f.yaml:4:42: profiles[1].plugins.queueSort: Invalid value: "
        "{\"Enabled\":[{\"Name\":\"OtherSort\",\"Weight\":0}],\"Disabled\":null}: must be the same for all profiles"}},
      {"one-empty-queue-sort",
       "profiles: [{schedulerName: a, plugins: {queueSort: {enabled: [{name: CustomSort}]}}},\n {schedulerName: b}]\n",
       {"f.yaml:4:2: profiles[1].plugins.queueSort: Invalid value: {\"Enabled\":null,\"Disabled\":null}: must "
        "be the "
        "same for all "
        "profiles"}},
      {"two queue sorts",
       "profiles: [{plugins: {queueSort: {enabled: [{name: A}, {name: B}]}}}]\n",
       {"f.yaml:3:34: profiles[0].plugins.queueSort.Enabled: Invalid value: 2: only one queue sort plugin can "
        "be "
        "enabled"}},
      {"mismatch-queue-sort",
       "profiles:\n- {schedulerName: a, plugins: {queueSort: {enabled: [{name: S}]}}, pluginConfig: [{name: S, args: "
       "{a: 1}}]}\n"
       "- {schedulerName: b, plugins: {queueSort: {enabled: [{name: S}]}}, pluginConfig: [{name: S, args: {a: 2}}]}\n",
       {"f.yaml:5:82: profiles[1].pluginConfig.args: Invalid value: {\"a\":2}: queueSort must be the same for "
        "all "
        "profiles"}},
      {"extender-negative-weight",
       "extenders: [{prioritizeVerb: prioritize, weight: -1}]\n",
       {"f.yaml:3:50: extenders[0].weight: Invalid value: -1: must have a positive weight applied to it"}},
      {"extender-duplicate-managed-resources",
       "extenders: [{managedResources: [{name: example.com/foo}, {name: example.com/foo}, {name: 'a b'}, {name: "
       "requests.x/y}]}]\n",
       {"f.yaml:3:65: extenders[0].managedResources[1].name: Invalid value: \"example.com/foo\": duplicate "
        "extender "
        "managed resource name",
        "f.yaml:3:90: extenders[0].managedResources[2].name: Invalid value: \"a b\": " + qualified,
        "f.yaml:3:105: extenders[0].managedResources[3].name: Invalid value: \"requests.x/y\": is an invalid "
        "extended "
        "resource name"}},
      {"extender-duplicate-bind",
       "extenders: [{bindVerb: foo}, {bindVerb: bar}]\n",
       {"f.yaml:3:12: extenders: Invalid value: \"found 2 extenders implementing bind\": only one extender can "
        "implement bind"}},
      {"invalid-plugins",
       "profiles: [{pluginConfig: [{name: CinderLimits}]}]\n",
       {"f.yaml:3:28: profiles[0].pluginConfig[0]: Invalid value: \"CinderLimits\": was invalid in version "
        "\"v1\" "
        "(KubeSchedulerConfiguration is version \"kubescheduler.config.k8s.io/v1\")"}},
      {"removed plugin in multiPoint is left to the framework",
       "profiles: [{plugins: {multiPoint: {enabled: [{name: EBSLimits}]}}}]\n",
       {}},
      {"burst",
       "clientConnection: {burst: -1}\n",
       {"f.yaml:3:27: clientConnection.burst: Invalid value: -1: must be non-negative"}},
      {"backoff",
       "podInitialBackoffSeconds: 0\npodMaxBackoffSeconds: -1\n",
       {"f.yaml:3:27: podInitialBackoffSeconds: Invalid value: 0: must be greater than 0",
        "f.yaml:4:23: podMaxBackoffSeconds: Invalid value: -1: must be greater than or equal to "
        "PodInitialBackoffSeconds"}},
      {"a default that another field makes wrong",
       "podInitialBackoffSeconds: 20\n",
       {"f.yaml:1:1: podMaxBackoffSeconds: Invalid value: 10: must be greater than or equal to "
        "PodInitialBackoffSeconds"}},
      {"Fit args are checked too",
       "profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {}}}]}]\n",
       {"f.yaml:3:77: profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: \"\": "
        "supported "
        "values: "
        "\"LeastAllocated\", \"MostAllocated\", \"RequestedToCapacityRatio\""}},
  };
  for (const Case& c : cases) EXPECT_THAT(ErrorsOf(V1(c.body)), ElementsAreArray(c.errors)) << c.name;
}

TEST(LoadErrors, ExtendersNeedFitArgsToIgnoreResources) {
  EXPECT_THAT(
      ErrorsOf(V1("profiles: [{plugins: {multiPoint: {disabled: [{name: NodeResourcesFit}]}}}]\n"
                  "extenders: [{managedResources: [{name: a.b/c, ignoredByScheduler: true}]}]\n")),
      ElementsAre(
          "f.yaml:3:12: profiles[0]: couldn't build extenders: can't find NodeResourcesFitArgs in plugin config"));
}

TEST(LoadErrors, UnknownFieldsHaveSuggestionsOfSimilarNames) {
  EXPECT_THAT(ErrorsOf(V1("Profiles: []\n")),
              ElementsAre("f.yaml:3:1: Profiles: unknown field \"Profiles\" (did you mean \"profiles\"?)"));
  EXPECT_THAT(ErrorsOf(V1("zzz: []\n")), ElementsAre("f.yaml:3:1: zzz: unknown field \"zzz\""));
  EXPECT_THAT(ErrorsOf(V1("healthzBindAddress: x\n")),
              ElementsAre("f.yaml:3:1: healthzBindAddress: unknown field \"healthzBindAddress\""));
}

TEST(LoadErrors, MalformedTexts) {
  EXPECT_THAT(ErrorsOf(std::string(1 << 20, 'a') + "a"),
              ElementsAre("f.yaml:1:1: larger than the 1048576 bytes allowed"));
  EXPECT_THAT(ErrorsOf(std::string("\x7f"
                                   "ELF\x02\0\0",
                                   7)),
              ElementsAre("f.yaml:1:1: control characters are not allowed"));
  EXPECT_THAT(ErrorsOf(V1("parallelism:\t5\r\n")), IsEmpty());
  EXPECT_THAT(ErrorsOf("\xEF\xBB\xBF" + V1("parallelism: 5\n")), IsEmpty());
  EXPECT_THAT(ErrorsOf(V1("profiles:\n\t- {}\n")), testing::SizeIs(1));
  std::string many = "profiles:\n";
  for (int i = 0; i < 150'000; ++i) many += "- {}\n";
  EXPECT_THAT(ErrorsOf(V1(many)), ElementsAre("f.yaml:4:1: profiles: Too many: 150000: must have at most 4096 items"));
  std::string wrong;
  for (int i = 0; i < 20'000; ++i) wrong += "k" + std::to_string(i) + ": 1\n";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(ErrorsOf(V1(wrong)).size(), 20'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  const LoadResult aliases = LoadText(V1("profiles:\n- &p\n  schedulerName: a\n- *p\n"));
  EXPECT_THAT(Lines(aliases.errors), ElementsAre("f.yaml:5:18: profiles[1].schedulerName: Duplicate value: \"a\""));
}

}  // namespace
}  // namespace berth::config
