// The objects of upstream's binder_test.go, and a pod with claims for node1.
#pragma once

#include <berth/testing/plugin_under_test.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "berth/entry.h"

namespace volume_binding_test {

using namespace berth::sdk::testing;  // NOLINT: tests use the fake host's names

inline constexpr const char* kClaims = "v1/persistentvolumeclaims";
inline constexpr const char* kVolumes = "v1/persistentvolumes";
inline constexpr const char* kClasses = "storage.k8s.io/v1/storageclasses";
inline constexpr const char* kCsiNodes = "storage.k8s.io/v1/csinodes";
inline constexpr const char* kSelected = "volume.kubernetes.io/selected-node";
inline constexpr const char* kBound = "pv.kubernetes.io/bind-completed";

// ---- upstream's objects

inline FakeObject Claim(const char* name, const char* size = "1G", const char* storage_class = "waitClass") {
  return FakeObject(name, "testns")
      .Uid("pvc-uid")
      .Spec(std::string(R"({"volumeMode":"Filesystem","resources":{"requests":{"storage":")") + size +
            R"("}},"storageClassName":")" + storage_class + R"("})");
}
inline FakeObject Provisioned(const char* name = "provisioned-pvc") {
  return Claim(name, "1Gi", "waitClassWithProvisioner");
}
inline FakeObject Selected(FakeObject claim, const char* node = "node1") { return claim.Annotation(kSelected, node); }
inline FakeObject Prebound(FakeObject claim, const std::string& volume) {
  return claim.Merge(R"({"spec":{"volumeName":")" + volume + R"("}})");
}
inline FakeObject Bound(FakeObject claim, const std::string& volume) {
  return Prebound(std::move(claim), volume).Annotation(kBound, "yes");
}
inline const FakeObject kUnbound = Claim("unbound-pvc"), kUnbound2 = Claim("unbound-pvc2", "5G");

inline FakeObject Volume(const char* name, const char* node, const char* size) {
  return FakeObject(name)
      .Spec(std::string(R"({"volumeMode":"Filesystem","storageClassName":"waitClass","capacity":{"storage":")") + size +
            R"("},"nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[{"key":"nodeKey",)"
            R"("operator":"In","values":[")" +
            node + R"("]}]}]}}})")
      .Status(R"({"phase":"Available"})");
}
inline FakeObject BoundTo(FakeObject volume, const char* claim, const char* uid = "pvc-uid") {
  return volume
      .Merge(std::string(R"({"spec":{"claimRef":{"kind":"PersistentVolumeClaim","namespace":"testns","name":")") +
             claim + R"(","uid":")" + uid + R"("}}})")
      .Annotation("pv.kubernetes.io/bound-by-controller", "yes");
}
inline const FakeObject kNode1a = Volume("pv-node1a", "node1", "5G"), kNode1b = Volume("pv-node1b", "node1", "10G"),
                        kNode2 = Volume("pv-node2", "node2", "1G"),
                        kPvBound = BoundTo(Volume("pv-bound", "node1", "1G"), "bound-pvc");
inline const FakeObject kNode1aBound = BoundTo(kNode1a, "unbound-pvc");

// A disk with the class and size of pv-migration-bound; its zone has the label of the in-tree driver.
inline FakeObject MigrationVolume(const char* claim, bool migrated = true) {
  FakeObject volume = BoundTo(Volume("pv-migration-bound", "node1", "1G"), claim);
  return volume.Label("failure-domain.beta.kubernetes.io/zone", "us-east-1")
      .Label("failure-domain.beta.kubernetes.io/region", "us-east-1a")
      .Merge(migrated ? R"({"spec":{"nodeAffinity":null,"gcePersistentDisk":{"pdName":"test-disk"}}})"
                      : R"({"spec":{"nodeAffinity":null,"rbd":{"image":"test-disk"}}})");
}

// ---- the pod and its way

class Fixture {
 public:
  explicit Fixture(const FakeNode& node = FakeNode("node1").Label("nodeKey", "node1")) {
    plugin.cluster().Add(node);
    const auto waits = [](const char* name, const char* provisioner) {
      return FakeObject(name).Set("volumeBindingMode", "WaitForFirstConsumer").Set("provisioner", provisioner);
    };
    plugin.Put(kClasses, waits("waitClass", "kubernetes.io/no-provisioner"))
        .Put(kClasses, waits("waitClassWithProvisioner", "test-provisioner"));
    plugin.Args(FakeValue::Object({{"bindTimeoutSeconds", 10}}));
  }
  ~Fixture() {
    attempt.reset();
    plugin.Stop();
  }
  Fixture(const Fixture&) = delete;

  Fixture& Volumes(const std::vector<FakeObject>& volumes) {
    for (const FakeObject& one : volumes) plugin.Put(kVolumes, one);
    return *this;
  }
  // Puts the claims into the store and into the pod.
  Fixture& Claims(const std::vector<FakeObject>& claims) {
    for (const FakeObject& one : claims) {
      plugin.Put(kClaims, one);
      pod.ClaimVolume(NameOf(one));
    }
    return *this;
  }
  static std::string NameOf(const FakeObject& object) {
    return std::string(object.document().view().Get("metadata").Get("name").AsString());
  }
  // Runs the filters for a pod, which chooses node1.
  void Choose() {
    ASSERT_TRUE(plugin.Start().ok());
    Again();
  }
  void Again() {
    attempt = plugin.Try(pod);
    const berth_status code = attempt->PreFilter().code;
    ASSERT_EQ(code, BERTH_SUCCESS);
    ASSERT_EQ(attempt->Filter().nodes.at("node1"), Outcome{});
  }
  void Reserve() {
    Choose();
    ASSERT_EQ(attempt->Reserve("node1"), Outcome{});
  }
  // Sends the writes. Those whose line ends with `refused` fail permanently.
  StartedCall Bind(const std::string& refused = "-") {
    plugin.host().api().AnswersBy([refused](const FakeRequest& r) {
      return r.Line().ends_with(refused) ? FakeReply::Conflict("the object has been modified") : FakeReply();
    });
    StartedCall call = attempt->StartPreBind("node1");
    plugin.host().api().Deliver();
    plugin.host().tasks().Advance();
    return call;
  }
  // The value of scheduler_volume_scheduling_stage_error_total; 0: there is no such series.
  double Errors(const char* operation) {
    return plugin.host().metrics().Value(BERTH_KUBE_VOLUME_STAGE_ERRORS, {operation}).value_or(0);
  }
  Texts Writes() { return plugin.host().api().Lines(); }
  // The claim that the volume is assumed or known to be bound to; "": none.
  std::string ClaimOf(const char* volume) {
    return Text(plugin.host().objects().Find(kVolumes, volume), "spec", "claimRef", "name");
  }
  std::string NodeOf(const char* claim) {
    return Text(plugin.host().objects().Find(kClaims, claim, "testns"), "metadata", "annotations", kSelected);
  }
  bool VolumeAssumed(const char* name) { return plugin.host().objects().Assumed(kVolumes, name); }
  bool ClaimAssumed(const char* name) { return plugin.host().objects().Assumed(kClaims, name, "testns"); }

  PluginUnderTest plugin{berth_entry_v1, "VolumeBinding"};
  FakePod pod = FakePod("test-pod").Namespace("testns");
  std::unique_ptr<Attempt> attempt;

 private:
  template <class... Keys>
  static std::string Text(const FakeObjects::Data& object, Keys... keys) {
    if (object == nullptr) return "";
    auto at = object->document.view();
    ((at = at.Get(keys)), ...);
    return std::string(at.AsString());
  }
};

}  // namespace volume_binding_test
