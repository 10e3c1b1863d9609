// The loader reads files and reports nodes and pods in order.
#include "simulator/manifests/manifest_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace berth::manifests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Recorder final : public Listener {
 public:
  explicit Recorder(api::InternTables& intern) : intern_(intern) {}
  void SetNode(api::NodeRef node) override { events.push_back("node " + node->name); }
  void SetPod(api::PodRef pod) override {
    std::string event = "pod " + std::string(pod->key());
    if (pod->abi.node_name != base::kNoId) event += " on " + std::string(intern_.ids.Text(pod->abi.node_name));
    events.push_back(event);
    pods.push_back(std::move(pod));
  }
  void RemoveNode(std::string_view name) override { events.push_back("no node " + std::string(name)); }
  void RemovePod(std::string_view key) override { events.push_back("no pod " + std::string(key)); }
  std::vector<std::string> events;
  std::vector<api::PodRef> pods;

 private:
  api::InternTables& intern_;
};

class LoaderTest : public testing::Test {
 protected:
  LoaderTest() : dir_(std::filesystem::temp_directory_path() / ("berth-manifests-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(dir_);
  }
  ~LoaderTest() override { std::filesystem::remove_all(dir_); }

  std::string File(const std::string& name, const std::string& text) {
    const std::string path = dir_ / name;
    std::ofstream(path) << text;
    return path;
  }
  // Applies the text as one file, and returns the calls of the listener.
  std::vector<std::string> Apply(const std::string& text, Applying what = Applying::kStart) {
    recorder_.events.clear();
    const auto done = loader_.Apply({File("m" + std::to_string(++files_) + ".yaml", text)}, what);
    EXPECT_TRUE(done) << done.error().message;
    return recorder_.events;
  }
  std::string Refusal(const std::string& text) {
    const auto done = loader_.Apply({File("bad.yaml", text)}, Applying::kStart);
    std::string why = done ? "" : done.error().message;
    const std::string folder = dir_.string() + "/";
    for (size_t at; (at = why.find(folder)) != std::string::npos;) why.erase(at, folder.size());
    return why;
  }

  std::filesystem::path dir_;
  int files_ = 0;
  api::InternTables intern_;
  Recorder recorder_{intern_};
  Loader loader_{intern_, recorder_, 1'767'225'600'000'000'000};
};

constexpr const char* kDeployment = R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "web:%s"}]}}
)";
std::string Deployment(int replicas, const char* version = "v1") {
  char text[512];
  std::snprintf(text, sizeof text, kDeployment, replicas, version);
  return text;
}

TEST_F(LoaderTest, NodesComeFirstAndPodsInTheirOrder) {
  EXPECT_THAT(Apply(R"(
apiVersion: v1
kind: Pod
metadata: {name: b, namespace: x}
spec: {containers: []}
---
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [], nodeName: n1}}
- {apiVersion: v1, kind: Node, metadata: {name: n1}}
)"),
              ElementsAre("node n1", "pod x/b", "pod default/a on n1"));
  EXPECT_LT(recorder_.pods[0]->abi.creation_unix_ns, recorder_.pods[1]->abi.creation_unix_ns);
}

TEST_F(LoaderTest, Workloads) {
  EXPECT_THAT(Apply(Deployment(2)), ElementsAre("pod default/web-0", "pod default/web-1"));
  EXPECT_THAT(Apply(Deployment(3), Applying::kStep), ElementsAre("pod default/web-2")) << "the others are there";
  EXPECT_THAT(Apply(Deployment(1), Applying::kStep), ElementsAre("no pod default/web-1", "no pod default/web-2"));
  EXPECT_THAT(Apply(Deployment(1, "v2"), Applying::kStep), ElementsAre("no pod default/web-0", "pod default/web-0"))
      << "a new template is rolled out";
  EXPECT_THAT(
      Apply(
          "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, deletionTimestamp: \"2026-01-01T00:00:00Z\"}\n",
          Applying::kStep),
      ElementsAre("no pod default/web-0"));
}

TEST_F(LoaderTest, JobsRunAsManyAsMayRunAtOnce) {
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {parallelism: 3, completions: 2, template: {spec: "
      "{containers: []}}}\n";
  EXPECT_THAT(Apply(job), ElementsAre("pod default/j-0", "pod default/j-1"));
  EXPECT_THAT(Apply("apiVersion: batch/v1\nkind: Job\nmetadata: {name: s}\nspec: {suspend: true, template: {spec: "
                    "{containers: []}}}\n"),
              ElementsAre());
}

TEST_F(LoaderTest, DaemonSetsFollowTheNodes) {
  EXPECT_THAT(Apply(R"(
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec: {template: {spec: {nodeSelector: {os: linux}, containers: []}}}
---
apiVersion: v1
kind: Node
metadata: {name: n1, labels: {os: linux}}
---
apiVersion: v1
kind: Node
metadata: {name: n2, labels: {os: other}}
---
apiVersion: v1
kind: Node
metadata: {name: n3, labels: {os: linux}}
spec: {taints: [{key: mine, effect: NoSchedule}]}
---
apiVersion: v1
kind: Node
metadata: {name: n4, labels: {os: linux}}
spec: {unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}]}
)"),
              ElementsAre("node n1", "node n2", "node n3", "node n4", "pod default/agent-n1", "pod default/agent-n4"));
  EXPECT_THAT(Apply("apiVersion: v1\nkind: Node\nmetadata: {name: n5, labels: {os: linux}}\n", Applying::kStep),
              ElementsAre("node n5", "pod default/agent-n5"));
  EXPECT_THAT(Apply("apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {os: other}}\n", Applying::kStep),
              ElementsAre("node n1", "no pod default/agent-n1"));
}

TEST_F(LoaderTest, DeletionTimestampsRemoveInSteps) {
  const std::string gone = R"("deletionTimestamp":"2026-01-01T00:00:00Z")";
  const std::string list = R"({"kind":"List","apiVersion":"v1","items":[
    {"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"a",)" +
                           gone + R"(}},
    {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"x","uid":"b",)" +
                           gone + R"(},"spec":{"containers":[]}}]})";
  EXPECT_THAT(Apply(list), ElementsAre("node n1", "pod x/p")) << "at first they are terminating";
  EXPECT_THAT(Apply(list, Applying::kStep), ElementsAre("no node n1", "no pod x/p"));
}

TEST_F(LoaderTest, IgnoredKindsAreCounted) {
  Apply(
      "apiVersion: v1\nkind: Service\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: "
      "b}\n---\napiVersion: v1\nkind: Namespace\nmetadata: "
      "{name: n}\n");
  EXPECT_THAT(loader_.ignored(), ElementsAre(testing::Pair("Namespace", 1), testing::Pair("Service", 2)));
}

TEST_F(LoaderTest, KindsOfOtherGroupsAreIgnored) {
  Apply(
      "apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\nmetadata: {name: a}\n---\n"
      "apiVersion: example.com/v1\nkind: Pod\nmetadata: {name: b}\n");
  EXPECT_THAT(recorder_.events, testing::IsEmpty());
  EXPECT_THAT(loader_.ignored(), ElementsAre(testing::Pair("Job of batch.volcano.sh/v1alpha1", 1),
                                             testing::Pair("Pod of example.com/v1", 1)));
}

TEST_F(LoaderTest, LiveWorkloadsCreateNoPods) {
  Apply(
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: web, uid: u1}\nspec: {replicas: 1}\n---\n"
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web-x, uid: u2}\nspec: {containers: []}\n");
  EXPECT_THAT(recorder_.events, ElementsAre("pod default/web-x"));
  EXPECT_THAT(loader_.ignored(), ElementsAre(testing::Pair("live ReplicaSet", 1)));
}

TEST_F(LoaderTest, DirectoriesAreReadInTheOrderOfNames) {
  std::filesystem::create_directory(dir_ / "d");
  File("d/2.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: second}\n");
  File("d/1.json", R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"first"}})");
  File("d/notes.txt", "not a manifest");
  const auto done = loader_.Apply({dir_ / "d"}, Applying::kStart);
  ASSERT_TRUE(done) << done.error().message;
  EXPECT_THAT(recorder_.events, ElementsAre("node first", "node second"));
}

TEST_F(LoaderTest, ErrorsNameTheirPosition) {
  EXPECT_EQ(Refusal("a: b\n"), "bad.yaml:1:1: kind: Required value");
  EXPECT_EQ(Refusal("apiVersion: v1\nkind: Pod\nmetadata: {namespace: x}\n"),
            "bad.yaml:1:1: metadata.name: Required value");
  EXPECT_THAT(Refusal("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: many}}\n"),
              HasSubstr("node \"n1\": status.allocatable[\"cpu\"]"));
  EXPECT_EQ(Refusal("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {priorityClassName: x, containers: []}\n"),
            "bad.yaml:1:1: pods \"p\" is forbidden: no PriorityClass with name x was found");
  EXPECT_EQ(
      Refusal("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w}\nspec:\n  replicas: \"5\"\n  template:\n"
              "    spec: {nodeSelctor: {a: b}, containers: [{name: c, resources: {requests: {cpu: -1}}}]}\n"),
      "bad.yaml:5:13: deployment \"default/w\": spec.replicas: Invalid value: \"5\": expected an integer, got string\n"
      "bad.yaml:7:12: deployment \"default/w\": spec.template.spec.nodeSelctor: unknown field \"nodeSelctor\"\n"
      "bad.yaml:7:84: deployment \"default/w\": spec.template.spec.containers[0].resources.requests[\"cpu\"]: Invalid "
      "value: \"-1\": must be greater than or equal to 0");
  EXPECT_EQ(Refusal("apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {tolerations: [{operator: Foo}]}\n"),
            "bad.yaml:4:33: pod \"default/p\": spec.tolerations[0].operator: Unsupported value: \"Foo\": supported "
            "values: \"Equal\", \"Exists\", \"Lt\", \"Gt\"");
  EXPECT_EQ(Refusal("kind: Pod\nmetadata: {name: p}\n"), "bad.yaml:1:1: apiVersion: Required value");
  EXPECT_THAT(Refusal("apiVersion: v1\nkind: Pod\n  metadata: {\n"), HasSubstr("bad.yaml:3:"));
  EXPECT_THAT(
      Refusal(
          R"({"kind":"List","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"u"},"spec":{"containers":7}}]})"),
      HasSubstr("bad.yaml: items[0]: pod \"p\": spec.containers"));
}

}  // namespace
}  // namespace berth::manifests
