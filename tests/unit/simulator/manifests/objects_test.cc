// Objects other than pods and nodes: defaults, implied namespaces, and objects that controllers create.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "api/selectors.h"
#include "simulator/manifests/manifest_loader.h"

namespace berth::manifests {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Needs every kind except ConfigMap.
class ChangeRecorder final : public Listener {
 public:
  explicit ChangeRecorder(api::InternTables& intern) : intern_(intern) {}
  void SetNode(api::NodeRef) override {}
  void SetPod(api::PodRef pod) override {
    told.push_back("Pod " + std::string(pod->key()));
    pods[std::string(pod->key())] = pod;
  }
  void RemoveNode(std::string_view) override {}
  void RemovePod(std::string_view key) override { told.push_back("no Pod " + std::string(key)); }
  bool NeedsObjects(std::string_view api_version, std::string_view kind) override {
    return also_needed.contains(std::string(api_version) + "/" + std::string(kind));
  }
  bool SetObject(std::string_view, std::string_view kind, json::Value object) override {
    if (kind == "ConfigMap") return false;
    const json::Value* ns = object.FindPath("metadata.namespace");
    const std::string name = std::string(kind) + " " + (ns == nullptr ? "" : ns->string() + "/") +
                             object.FindPath("metadata.name")->string();
    told.push_back(name);
    objects[name] = std::move(object);
    return true;
  }
  bool RemoveObject(std::string_view, std::string_view kind, std::string_view key) override {
    told.push_back("no " + std::string(kind) + " " + std::string(key));
    return true;
  }
  std::string At(const std::string& object, std::string_view path) const {
    const auto found = objects.find(object);
    if (found == objects.end()) return "no such object";
    const json::Value* value = found->second.FindPath(path);
    return value == nullptr ? "absent" : value->is_string() ? value->string() : json::Dump(*value);
  }

  std::set<std::string> also_needed;  // kinds that are not only objects
  std::vector<std::string> told;
  std::map<std::string, json::Value> objects;
  std::map<std::string, api::PodRef> pods;

 private:
  api::InternTables& intern_;
};

class ObjectsTest : public testing::Test {
 protected:
  ~ObjectsTest() override { std::filesystem::remove(path_); }
  std::vector<std::string> Apply(const std::string& text, Applying what = Applying::kStart) {
    recorder.told.clear();
    std::ofstream(path_) << text;
    const auto done = loader.Apply({path_}, what);
    EXPECT_TRUE(done) << done.error().message;
    return recorder.told;
  }

  const std::string path_ =
      std::filesystem::temp_directory_path() / ("berth-objects-" + std::to_string(getpid()) + ".yaml");
  api::InternTables intern;
  ChangeRecorder recorder{intern};
  Loader loader{intern, recorder, 0};
};

constexpr const char* kPod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: x}\nspec: {containers: []}\n";

TEST_F(ObjectsTest, NamespacesAreImplied) {
  EXPECT_THAT(Apply(std::string(kPod) + "---\napiVersion: v1\nkind: Service\nmetadata: {name: s}\n"),
              ElementsAre("Namespace default", "Service default/s", "Namespace x", "Pod x/p"));
  EXPECT_EQ(recorder.At("Namespace x", "metadata.labels"), R"({"kubernetes.io/metadata.name":"x"})");
  EXPECT_THAT(Apply(kPod, Applying::kStep), ElementsAre("Pod x/p")) << "it is there already";
}

TEST_F(ObjectsTest, GivenNamespacesKeepTheirLabels) {
  EXPECT_THAT(
      Apply(std::string(kPod) + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: x, labels: {team: a}}\n"),
      ElementsAre("Namespace x", "Pod x/p"));
  EXPECT_EQ(recorder.At("Namespace x", "metadata.labels"), R"({"team":"a","kubernetes.io/metadata.name":"x"})");
  EXPECT_EQ(recorder.At("Namespace x", "status.phase"), "Active");
}

TEST_F(ObjectsTest, DeletedObjectsAreReported) {
  Apply("apiVersion: v1\nkind: Service\nmetadata: {name: s}\n");
  EXPECT_THAT(Apply("apiVersion: v1\nkind: Service\nmetadata: {name: s, deletionTimestamp: \"2026-01-01T00:00:00Z\"}\n",
                    Applying::kStep),
              ElementsAre("no Service default/s"));
}

TEST_F(ObjectsTest, IgnoredObjectsAreCounted) {
  EXPECT_THAT(Apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"), IsEmpty());
  EXPECT_THAT(loader.ignored(), ElementsAre(testing::Pair("ConfigMap", 1)));
}

TEST_F(ObjectsTest, NodesAreObjectsTooIfAPluginNeedsThem) {
  const std::string node = "apiVersion: v1\nkind: Node\nmetadata: {name: n1, annotations: {a: b}}\n";
  EXPECT_THAT(Apply(node), IsEmpty());
  recorder.also_needed = {"v1/Node"};
  EXPECT_THAT(Apply(node), ElementsAre("Node n1"));
  EXPECT_EQ(recorder.At("Node n1", "metadata.annotations.a"), "b");
  EXPECT_THAT(Apply(R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n2", "uid": "u"}})"),
              ElementsAre("Node n2"));
  EXPECT_THAT(Apply("apiVersion: v1\nkind: Node\nmetadata: {name: n1, deletionTimestamp: \"2026-01-01T00:00:00Z\"}\n",
                    Applying::kStep),
              ElementsAre("no Node n1"));
}

TEST_F(ObjectsTest, PodsAreObjectsTooIfAPluginNeedsThem) {
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {a: b}}\nspec: {containers: [{name: c, image: "
      "i}]}\n";
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\n"
      "spec: {template: {metadata: {annotations: {a: c}}, spec: {containers: [{name: c, image: i}]}}}\n";
  EXPECT_THAT(Apply(pod), ElementsAre("Namespace default", "Pod default/p"));
  EXPECT_EQ(recorder.At("Pod default/p", "metadata.name"), "no such object");
  recorder.also_needed = {"v1/Pod"};
  EXPECT_THAT(Apply(pod), ElementsAre("Pod default/p", "Pod default/p"));
  EXPECT_EQ(recorder.At("Pod default/p", "metadata.annotations.a"), "b");
  EXPECT_EQ(recorder.At("Pod default/p", "metadata.uid"), recorder.pods["default/p"]->uid());
  Apply(job);
  EXPECT_EQ(recorder.At("Pod default/j-0", "metadata.annotations.a"), "c");
  EXPECT_EQ(recorder.At("Pod default/j-0", "metadata.uid"), recorder.pods["default/j-0"]->uid());
  Apply(R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "q", "namespace": "ns", "uid": "u"}, "spec": {}})");
  EXPECT_EQ(recorder.At("Pod ns/q", "metadata.uid"), "u");
  EXPECT_THAT(Apply("apiVersion: v1\nkind: Pod\nmetadata: {name: p, deletionTimestamp: \"2026-01-01T00:00:00Z\"}\n",
                    Applying::kStep),
              ElementsAre("no Pod default/p", "no Pod default/p"));
}

TEST_F(ObjectsTest, PriorityClassesAreObjectsTooIfAPluginNeedsThem) {
  const std::string of_pod =
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\n"
      "spec: {priorityClassName: high, containers: [{name: c, image: i}]}\n";
  const std::string high = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 7\n";
  EXPECT_THAT(Apply(high), IsEmpty());
  recorder.also_needed = {"scheduling.k8s.io/v1/PriorityClass"};
  EXPECT_THAT(Apply(high + of_pod), ElementsAre("PriorityClass high", "Namespace default", "Pod default/p"));
  EXPECT_EQ(recorder.At("PriorityClass high", "value"), "7");
  EXPECT_EQ(recorder.pods.at("default/p")->abi.priority, 7) << "admission knows it too";
  EXPECT_THAT(loader.ignored(), IsEmpty());
}

TEST_F(ObjectsTest, ClaimsComeAfterTheClassesAndBeforeThePods) {
  EXPECT_THAT(Apply(std::string(kPod) + R"(---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: c, namespace: x}
spec: {}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: none, namespace: x}
spec: {storageClassName: ""}
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: fast, annotations: {storageclass.kubernetes.io/is-default-class: "true"}}
provisioner: example.org/disk
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: v}
spec: {}
)"),
              ElementsAre("StorageClass fast", "PersistentVolume v", "Namespace x", "PersistentVolumeClaim x/c",
                          "PersistentVolumeClaim x/none", "Pod x/p"));
  EXPECT_EQ(recorder.At("PersistentVolumeClaim x/c", "spec.storageClassName"), "fast");
  EXPECT_EQ(recorder.At("PersistentVolumeClaim x/c", "spec.volumeMode"), "Filesystem");
  EXPECT_EQ(recorder.At("PersistentVolumeClaim x/c", "status.phase"), "Pending");
  EXPECT_EQ(recorder.At("PersistentVolumeClaim x/none", "spec.storageClassName"), "");
  EXPECT_EQ(recorder.At("StorageClass fast", "volumeBindingMode"), "Immediate");
  EXPECT_EQ(recorder.At("PersistentVolume v", "status.phase"), "Available");
  EXPECT_EQ(recorder.At("PersistentVolumeClaim x/c", "metadata.uid"), "persistentvolumeclaim-x-c");
  Apply("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: b}\nspec: {volumeName: v}\n", Applying::kStep);
  EXPECT_EQ(recorder.At("PersistentVolumeClaim default/b", "status.phase"), "Bound");
  EXPECT_EQ(recorder.At("PersistentVolumeClaim default/b", "metadata.annotations"),
            R"({"pv.kubernetes.io/bind-completed":"yes"})");
}

TEST_F(ObjectsTest, LiveObjectsDoNotChange) {
  Apply("apiVersion: v1\nkind: Namespace\nmetadata: {name: x, uid: u}\n");
  EXPECT_EQ(recorder.At("Namespace x", "metadata.labels"), "absent");
  EXPECT_EQ(recorder.At("Namespace x", "metadata.uid"), "u");
}

constexpr const char* kSet = R"(
apiVersion: apps/v1
kind: %s
metadata: {name: web, namespace: x}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "%s"}]}}
)";
std::string Workload(const char* kind, const char* image = "v1") {
  char text[512];
  std::snprintf(text, sizeof text, kSet, kind, image);
  return text;
}

TEST_F(ObjectsTest, WorkloadsAreObjectsToo) {
  EXPECT_THAT(Apply(Workload("ReplicaSet")), ElementsAre("Namespace x", "ReplicaSet x/web", "Pod x/web-0"));
  EXPECT_THAT(loader.ignored(), IsEmpty());
}

TEST_F(ObjectsTest, ADeploymentHasAReplicaSet) {
  std::vector<std::string> told = Apply(Workload("Deployment"));
  ASSERT_EQ(told.size(), 3u);
  const std::string set = told[1], name = recorder.At(set, "metadata.name");
  EXPECT_TRUE(name.starts_with("web-")) << name;
  const std::string hash = name.substr(4);
  EXPECT_EQ(recorder.At(set, "spec.selector.matchLabels"), R"({"app":"web","pod-template-hash":")" + hash + "\"}");
  EXPECT_EQ(recorder.At(set, "spec.replicas"), "1");
  const api::PodRef pod = recorder.pods.at("x/web-0");
  EXPECT_EQ(intern.ids.Text(api::LabelValue(*pod->abi.labels, intern.ids.Intern("pod-template-hash"))), hash);
  EXPECT_EQ(intern.ids.Text(pod->abi.controller->kind), "ReplicaSet");
  EXPECT_EQ(intern.ids.Text(pod->abi.controller->name), name);
  // A changed template gives a new ReplicaSet; an equal one does not.
  told = Apply(Workload("Deployment"), Applying::kStep);
  EXPECT_THAT(told, ElementsAre(set));
  told = Apply(Workload("Deployment", "v2"), Applying::kStep);
  ASSERT_EQ(told.size(), 4u);
  EXPECT_EQ(told[0], "no Pod x/web-0");
  EXPECT_EQ(told[1], "no " + set);
  EXPECT_NE(told[2], set);
}

TEST_F(ObjectsTest, AStatefulSetHasClaims) {
  EXPECT_THAT(Apply(R"(
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 2
  volumeClaimTemplates:
  - {metadata: {name: data}, spec: {storageClassName: fast}}
  template: {metadata: {labels: {app: db}}, spec: {containers: [{name: c, image: i}], volumes: [{name: data, emptyDir: {}}]}}
)"),
              ElementsAre("Namespace default", "StatefulSet default/db", "PersistentVolumeClaim default/data-db-0",
                          "Pod default/db-0", "PersistentVolumeClaim default/data-db-1", "Pod default/db-1"));
  const berth_list volumes = recorder.pods.at("default/db-1")->abi.volumes->items;
  ASSERT_EQ(volumes.n, 1u);
  EXPECT_EQ(intern.ids.Text(BERTH_AT(volumes, berth_volume, 0)->handle), "data-db-1");
  EXPECT_EQ(recorder.At("PersistentVolumeClaim default/data-db-0", "spec.storageClassName"), "fast");
}

TEST_F(ObjectsTest, EphemeralVolumesHaveClaimsOfTheirPod) {
  EXPECT_THAT(Apply(R"(
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: []
  volumes:
  - {name: scratch, ephemeral: {volumeClaimTemplate: {metadata: {labels: {a: b}}, spec: {storageClassName: fast}}}}
)"),
              ElementsAre("Namespace default", "PersistentVolumeClaim default/p-scratch", "Pod default/p"));
  const std::string claim = "PersistentVolumeClaim default/p-scratch";
  EXPECT_EQ(recorder.At(claim, "metadata.labels"), R"({"a":"b"})");
  const json::Value owner = recorder.objects.at(claim).FindPath("metadata.ownerReferences")->array().at(0);
  EXPECT_EQ(owner.Find("uid")->string(), recorder.pods.at("default/p")->uid());
  EXPECT_TRUE(owner.Find("controller")->boolean());
}

}  // namespace
}  // namespace berth::manifests
