// Volumes and claims after a scheduler's writes: patches, versions, and the reaction of the controllers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "asking.h"

namespace berth::fixture {
namespace {

using testing::HasSubstr;

class Volumes : public Asking {
 protected:
  Volumes() {
    Need("", "persistentvolumes");
    Need("", "persistentvolumeclaims");
    Need("storage.k8s.io", "storageclasses");
    Need("storage.k8s.io", "csinodes");
    rig.cluster.SetNode(MakeNode(rig.intern, "n1", "", R"("labels":{"zone":"z1"})"));
    Set("storage.k8s.io/v1", "storageclasses",
        R"({"metadata":{"name":"slow","uid":"sc"},"provisioner":"csi.example","reclaimPolicy":"Delete",)"
        R"("volumeBindingMode":"WaitForFirstConsumer"})");
    Set("storage.k8s.io/v1", "storageclasses",
        R"({"metadata":{"name":"local","uid":"sl"},"provisioner":"kubernetes.io/no-provisioner",)"
        R"("volumeBindingMode":"WaitForFirstConsumer"})");
    Set("storage.k8s.io/v1", "csinodes",
        R"({"metadata":{"name":"n1","uid":"cn"},"spec":{"drivers":[{"name":"csi.example","topologyKeys":["zone"]}]}})");
    Set("v1", "persistentvolumes",
        R"({"metadata":{"name":"pv","uid":"pv-1"},"spec":{"capacity":{"storage":"2Gi"},"accessModes":["ReadWriteOnce"],)"
        R"("storageClassName":"local"},"status":{"phase":"Available"}})");
    SetClaim("data", "slow");
    rig.Run();
  }
  void Need(const char* group, const char* resource) {
    ASSERT_NE(rig.services.ports.objects->Need(group, "v1", resource), 0u);
  }
  void Set(const char* api_version, const char* resource, const std::string& json) {
    ASSERT_TRUE(rig.cluster.SetObject(rig.cluster.KindOf(api_version, resource), *json::Parse(json)));
  }
  void SetClaim(const std::string& name, const std::string& storage_class) {
    Set("v1", "persistentvolumeclaims",
        R"({"metadata":{"namespace":"default","name":")" + name + R"(","uid":"claim-)" + name +
            R"("},"spec":{"storageClassName":")" + storage_class +
            R"(","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}},"status":{"phase":"Pending"}})");
  }
  json::Value Object(const char* resource, const std::string& key) {
    const objects::ObjectRef object = rig.cluster.FindObject(rig.cluster.KindOf("v1", resource), key);
    return object == nullptr ? json::Value() : object->value;
  }
  json::Value Claim(const std::string& name) { return Object("persistentvolumeclaims", "default/" + name); }
  static std::string At(const json::Value& object, std::string_view path) {
    const json::Value* found = object.FindPath(path);
    return found == nullptr ? "" : found->is_string() ? found->string() : json::Dump(*found);
  }
  static std::string Annotation(const json::Value& object, std::string_view key) {
    const json::Value* all = object.FindPath("metadata.annotations");
    return all == nullptr || all->Find(key) == nullptr ? "" : all->Find(key)->string();
  }
  Told SelectNode(const std::string& claim) {
    return Patch("persistentvolumeclaims", "default", claim,
                 R"({"metadata":{"annotations":{"volume.kubernetes.io/selected-node":"n1"}}})");
  }
};

TEST_F(Volumes, ASelectedNodeProvisionsAndBinds) {
  EXPECT_EQ(SelectNode("data").code, 200);
  const json::Value claim = Claim("data"), volume = Object("persistentvolumes", "pvc-claim-data");
  EXPECT_EQ(At(claim, "spec.volumeName"), "pvc-claim-data");
  EXPECT_EQ(At(claim, "status.phase"), "Bound");
  EXPECT_EQ(At(claim, "status.capacity"), R"({"storage":"1Gi"})");
  EXPECT_EQ(Annotation(claim, "pv.kubernetes.io/bind-completed"), "yes");
  EXPECT_EQ(Annotation(claim, "volume.kubernetes.io/selected-node"), "n1");
  EXPECT_EQ(At(volume, "status.phase"), "Bound");
  EXPECT_EQ(At(volume, "spec.claimRef.uid"), "claim-data");
  EXPECT_EQ(At(volume, "spec.csi.driver"), "csi.example");
  EXPECT_EQ(At(volume, "spec.nodeAffinity.required"),
            R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"zone","operator":"In","values":["z1"]}]}]})");
  EXPECT_EQ(Annotation(volume, "pv.kubernetes.io/provisioned-by"), "csi.example");
  // The scheduler has received the event.
  const objects::Object* seen =
      rig.services.ports.objects->Get(rig.cluster.KindOf("v1", "persistentvolumeclaims"), "default", "data");
  ASSERT_NE(seen, nullptr);
  EXPECT_EQ(At(seen->value, "status.phase"), "Bound");
}

TEST_F(Volumes, WithoutAProvisionerNothingHappens) {
  SetClaim("static", "local");
  EXPECT_EQ(SelectNode("static").code, 200);
  EXPECT_EQ(At(Claim("static"), "status.phase"), "Pending");
}

TEST_F(Volumes, AClaimRefBindsTheClaim) {
  SetClaim("static", "local");
  const Told told = Patch("persistentvolumes", "", "pv",
                          R"({"metadata":{"annotations":{"pv.kubernetes.io/bound-by-controller":"yes"}},"spec":{)"
                          R"("claimRef":{"kind":"PersistentVolumeClaim","namespace":"default","name":"static",)"
                          R"("uid":"claim-static"}}})");
  EXPECT_EQ(told.code, 200);
  EXPECT_EQ(At(Claim("static"), "spec.volumeName"), "pv");
  EXPECT_EQ(At(Claim("static"), "status.capacity"), R"({"storage":"2Gi"})");
  EXPECT_EQ(At(Object("persistentvolumes", "pv"), "status.phase"), "Bound");
}

TEST_F(Volumes, AClaimRefToAnotherClaimOfThatNameBindsNothing) {
  SetClaim("static", "local");
  Patch("persistentvolumes", "", "pv",
        R"({"spec":{"claimRef":{"namespace":"default","name":"static","uid":"an older one"}}})");
  EXPECT_EQ(At(Claim("static"), "status.phase"), "Pending");
  EXPECT_EQ(At(Object("persistentvolumes", "pv"), "spec.claimRef.uid"), "an older one");
}

TEST_F(Volumes, PutReplacesWhatIsUpToDate) {
  json::Value volume = Object("persistentvolumes", "pv");
  const std::string version = At(volume, "metadata.resourceVersion");
  const auto put = [&](const json::Value& object) {
    const std::string body = json::Dump(object);
    return Ask(
        {.verb = "PUT", .resource = "persistentvolumes", .name = "pv", .content_type = sdk::kJsonBody, .body = body});
  };
  EXPECT_EQ(put(volume).code, 200);
  EXPECT_EQ(At(Object("persistentvolumes", "pv"), "metadata.resourceVersion"), version);  // no change
  volume["metadata"]["labels"].Set("a", "b");
  volume["status"].Set("phase", "Failed");  // only the controller sets it
  EXPECT_EQ(put(volume).code, 200);
  EXPECT_EQ(At(Object("persistentvolumes", "pv"), "metadata.labels"), R"({"a":"b"})");
  EXPECT_EQ(At(Object("persistentvolumes", "pv"), "status.phase"), "Available");
  const Told conflict = put(volume);
  EXPECT_EQ(conflict.code, 409);
  EXPECT_EQ(
      conflict.message,
      R"(Operation cannot be fulfilled on persistentvolumes "pv": the object has been modified; please apply your )"
      R"(changes to the latest version and try again)");
  volume["metadata"].Set("uid", "other");
  EXPECT_EQ(put(volume).code, 409);
}

TEST_F(Volumes, AreMadeAndDeleted) {
  const auto post = [&] {
    return Ask({.verb = "POST",
                .resource = "persistentvolumes",
                .content_type = sdk::kJsonBody,
                .body = R"({"metadata":{"name":"new"},"spec":{}})"});
  };
  EXPECT_EQ(post().code, 201);
  EXPECT_EQ(post().reason, "AlreadyExists");
  EXPECT_EQ(Ask({.verb = "GET", .resource = "persistentvolumes", .name = "new"}).code, 200);
  EXPECT_EQ(Ask({.verb = "DELETE",
                 .resource = "persistentvolumes",
                 .name = "new",
                 .body = R"({"preconditions":{"uid":"x"}})"})
                .code,
            409);
  EXPECT_EQ(Ask({.verb = "DELETE", .resource = "persistentvolumes", .name = "new"}).code, 200);
  EXPECT_EQ(Ask({.verb = "GET", .resource = "persistentvolumes", .name = "new"}).message,
            R"(persistentvolumes "new" not found)");
  EXPECT_EQ(Ask({.verb = "GET", .group = "storage.k8s.io", .resource = "storageclasses", .name = "x"}).message,
            R"(storageclasses.storage.k8s.io "x" not found)");
}

}  // namespace
}  // namespace berth::fixture
