// Libraries with plugins that fail at run time: the error of the attempt names the plugin, and other profiles go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "codec/json/value.h"
#include "simulator/simulation/run.h"
#include "zoo.h"

namespace berth {
namespace {

constexpr const char* kConfig = R"(
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
  plugins: {multiPoint: {disabled: [{name: "*"}], enabled: [{name: PrioritySort}, {name: DefaultBinder}]}}
- schedulerName: broken
  plugins: {multiPoint: {disabled: [{name: "*"}], enabled: [{name: PrioritySort}, {name: PLUGIN}, {name: DefaultBinder}]}}
---
apiVersion: berth.dev/v1alpha1
kind: BerthConfiguration
faults: {callDeadline: 100ms}
)";

constexpr const char* kCluster = R"(
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
---
apiVersion: v1
kind: Pod
metadata: {name: bad}
spec: {schedulerName: broken, containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: good}
spec: {containers: [{name: c, image: i}]}
)";

struct Ran {
  int code = 0;
  std::string err;
  std::map<std::string, std::string> result, message;  // of each pod's last attempt
};

// Replaces the text between the first `after` and the next `before` with the new text.
std::string Masked(std::string text, const std::string& after, const std::string& before, const std::string& by) {
  const size_t at = text.find(after);
  if (at == std::string::npos) return text;
  const size_t from = at + after.size();
  return text.replace(from, text.find(before, from) - from, by);
}

std::string WithoutChance(const std::string& text) {
  return Masked(Masked(text, "came back from Filter after ", ",", "SOME s"), "its binding to ", " ", "NODE");
}

// A cluster with two pods: one for a profile with the broken plugin, one for a profile without it.
Ran Simulate(const std::string& file, const std::string& plugin, int bad_pods = 1) {
  zoo::PrivateFolder folder;
  folder.Copy(file, file + ".so");
  for (const char* sound : {"PrioritySort.so", "DefaultBinder.so"}) {
    std::filesystem::copy_file(std::string(BERTH_TEST_BUILD_DIR "/lib/berth/plugins/") + sound, folder.File(sound));
  }
  std::string config = kConfig;
  config.replace(config.find("PLUGIN"), 6, plugin);
  zoo::WriteText(folder.File("config.yaml"), config);
  std::string cluster = kCluster;
  for (int i = 2; i <= bad_pods; ++i) {
    cluster += "---\napiVersion: v1\nkind: Pod\nmetadata: {name: bad-" + std::to_string(i) +
               "}\nspec: {schedulerName: broken, containers: [{name: c, image: i}]}\n";
  }
  zoo::WriteText(folder.File("cluster.yaml"), cluster);
  simulation::RunOptions options;
  options.config = folder.File("config.yaml");
  options.plugin_directories = {folder.path()};
  options.manifests = {folder.File("cluster.yaml")};
  options.json = true;
  options.check = true;
  std::ostringstream out, err;
  Ran ran{.code = simulation::RunSimulation(options, out, err)};
  ran.err = err.str();
  for (size_t at; (at = ran.err.find(folder.path() + "/")) != std::string::npos;) {
    ran.err.erase(at, folder.path().size() + 1);
  }
  if (ran.code != 0) return ran;
  const auto read = json::Parse(out.str());
  for (const json::Value& attempt : read->Find("pods")->array()) {
    const std::string& pod = attempt.Find("pod")->string();
    const json::Value* message = attempt.Find("message");
    ran.result[pod] = attempt.Find("result")->string();
    ran.message[pod] = message == nullptr ? "" : WithoutChance(message->string());
  }
  return ran;
}

struct WorkFault {
  const char* file;
  const char* plugin;
  const char* message;
};
void PrintTo(const WorkFault& fault, std::ostream* out) { *out << fault.file; }

class WorkFaultTest : public testing::TestWithParam<WorkFault> {};

TEST_P(WorkFaultTest, FailsTheAttemptWithThisTextAndNoOther) {
  const Ran ran = Simulate(GetParam().file, GetParam().plugin);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.result.at("default/good"), "Scheduled");
  EXPECT_EQ(ran.result.at("default/bad"), "Error");
  EXPECT_EQ(ran.message.at("default/bad"), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files, WorkFaultTest,
    testing::Values(
        WorkFault{"filter_throws", "FilterThrows",
                  "running \"FilterThrows\" filter plugin: plugin \"FilterThrows\" threw in Filter: lost my way"},
        WorkFault{"filter_throws_nothing_known", "FilterThrowsNothingKnown",
                  "running \"FilterThrowsNothingKnown\" filter plugin: plugin \"FilterThrowsNothingKnown\" threw in "
                  "Filter: an exception that is not a std::exception"},
        WorkFault{"filter_status_unknown", "FilterStatusUnknown",
                  "running \"FilterStatusUnknown\" filter plugin: plugin \"FilterStatusUnknown\" returned status 77 "
                  "from Filter, which is no status of that point"},
        WorkFault{"filter_status_of_another_point", "FilterStatusOfAnotherPoint",
                  "running \"FilterStatusOfAnotherPoint\" filter plugin: plugin \"FilterStatusOfAnotherPoint\" "
                  "returned status 4 from Filter, which is no status of that point"},
        WorkFault{"filter_verdict_unknown", "FilterVerdictUnknown",
                  "running \"FilterVerdictUnknown\" filter plugin: plugin \"FilterVerdictUnknown\" gave node \"n2\" "
                  "the verdict 200, which is no verdict, in Filter"},
        WorkFault{"filter_reason_unknown", "FilterReasonUnknown",
                  "running \"FilterReasonUnknown\" filter plugin: plugin \"FilterReasonUnknown\" gave node \"n1\" "
                  "reasons number 123456789, which was never handed out, in Filter"},
        WorkFault{"filter_writes_past_n", "FilterWritesPastN",
                  "running \"FilterWritesPastN\" filter plugin: plugin \"FilterWritesPastN\" wrote past the end of its "
                  "answers in Filter"},
        WorkFault{"filter_late", "FilterLate",
                  "running \"FilterLate\" filter plugin: plugin \"FilterLate\" came back from Filter after SOME s, "
                  "later than its deadline of 0.1s"},
        WorkFault{"score_too_high", "ScoreTooHigh",
                  "applying score defaultWeights on Score plugins: plugin \"ScoreTooHigh\" returns an invalid score "
                  "101, it should in the range of [0, 100] after normalizing"},
        WorkFault{"score_writes_past_n", "ScoreWritesPastN",
                  "running Score plugins: plugin \"ScoreWritesPastN\" failed with: plugin \"ScoreWritesPastN\" wrote "
                  "past the end of its answers in Score"},
        WorkFault{"normalize_negative", "NormalizeNegative",
                  "applying score defaultWeights on Score plugins: plugin \"NormalizeNegative\" returns an invalid "
                  "score -1, it should in the range of [0, 100] after normalizing"},
        WorkFault{"pre_filter_narrows_to_null", "PreFilterNarrowsToNull",
                  "plugin \"PreFilterNarrowsToNull\" narrowed to 3 names at NULL in PreFilter"},
        WorkFault{"bind_never_ends", "BindNeverEnds",
                  "its binding to NODE never ended: a PreBind or Bind plugin keeps the operation"},
        WorkFault{"bind_done_twice", "BindDoneTwice",
                  "running Bind plugin \"BindDoneTwice\": the operation ended with status 1 and no reason"}),
    [](const auto& info) { return std::string(info.param.file); });

// The plugin refuses nodes with a pod, but declares that it reads nothing of a row. The simulation runs with --check.
TEST(WorkFaults, ReuseThatDeclaresTooLittleIsDetected) {
  const Ran ran = Simulate("reuse_declares_too_little", "ReuseDeclaresTooLittle", 3);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.result.at("default/bad"), "Scheduled");
  EXPECT_EQ(ran.result.at("default/bad-2"), "Error");
  EXPECT_THAT(
      ran.message.at("default/bad-2"),
      testing::MatchesRegex("running \"ReuseDeclaresTooLittle\" filter plugin: plugin \"ReuseDeclaresTooLittle\" "
                            "would now answer otherwise about node \"n[12]\" than it has: its reuse declares too "
                            "little, in Filter"));
}

TEST(WorkFaults, ASerialPluginMayReplaceItsCycleData) {
  const Ran ran = Simulate("serial_data_set_twice", "SerialDataSetTwice");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.result.at("default/bad"), "Scheduled") << ran.message.at("default/bad");
}

// A name that is not in the intern table is the name of no node, which the ABI allows.
TEST(WorkFaults, NamesThatAreUnknownAreNoNodes) {
  const Ran ran = Simulate("pre_filter_names_unknown", "PreFilterNamesUnknown");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.result.at("default/bad"), "Unschedulable");
  EXPECT_EQ(ran.message.at("default/bad"),
            "0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [PreFilterNamesUnknown].");
}

class StartFaultTest : public testing::TestWithParam<WorkFault> {};

TEST_P(StartFaultTest, KeepsTheConfigurationOut) {
  const Ran ran = Simulate(GetParam().file, GetParam().plugin);
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.err, GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Files, StartFaultTest,
    testing::Values(
        WorkFault{"init_throws", "InitThrows",
                  "initializing profiles: creating profile for scheduler name broken: initializing plugin "
                  "\"InitThrows\": init_throws.so: plugin \"InitThrows\" threw in init: no coffee\n"},
        WorkFault{"normalize_missing", "NormalizeMissing",
                  "initializing profiles: creating profile for scheduler name broken: initializing plugin "
                  "\"NormalizeMissing\": normalize_missing.so: its score table is too short or lacks a function it "
                  "must have\n"},
        WorkFault{
            "normalize_unknown", "NormalizeUnknown",
            "initializing profiles: creating profile for scheduler name broken: initializing plugin "
            "\"NormalizeUnknown\": normalize_unknown.so: its score table asks for normalisation 77, which this host "
            "does not know\n"},
        WorkFault{"args_not_completed", "ArgsNotCompleted",
                  "config.yaml:8:90: profiles[1].plugins.multiPoint: initializing plugin \"ArgsNotCompleted\": args: "
                  "the plugin's complete() handed over 0 completed args instead of one\n"},
        WorkFault{"table_small", "TableSmall",
                  "initializing profiles: creating profile for scheduler name broken: initializing plugin "
                  "\"TableSmall\": table_small.so: its filter table is too short or lacks a function it must have\n"},
        WorkFault{"point_not_offered", "PointNotOffered",
                  "initializing profiles: creating profile for scheduler name broken: initializing plugin "
                  "\"PointNotOffered\": point_not_offered.so: its note announces the point score, which the plugin "
                  "does not offer\n"}),
    [](const auto& info) { return std::string(info.param.file); });

}  // namespace
}  // namespace berth
