#include "scheduler/objects/kind.h"

#include <gtest/gtest.h>

namespace berth::objects {
namespace {

TEST(Kind, PathsAreThoseOfAnApiServer) {
  EXPECT_EQ(MakeKind("", "v1", "services").path(), "/api/v1/services");
  EXPECT_EQ(MakeKind("apps", "v1", "replicasets").path(), "/apis/apps/v1/replicasets");
}

TEST(Kind, EventsAreNamedAsUpstreamNamesThem) {
  EXPECT_EQ(MakeKind("", "v1", "persistentvolumeclaims").event_resource, "PersistentVolumeClaim");
  EXPECT_EQ(MakeKind("storage.k8s.io", "v1", "csistoragecapacities").event_resource,
            "storage.k8s.io/CSIStorageCapacity");
  EXPECT_EQ(MakeKind("resource.k8s.io", "v1", "deviceclasses").event_resource, "resource.k8s.io/DeviceClass");
  EXPECT_TRUE(MakeKind("", "v1", "persistentvolumes").named_event);
  const Kind foos = MakeKind("example.com", "v1", "foos");
  EXPECT_EQ(foos.event_resource, "foos.v1.example.com");
  EXPECT_FALSE(foos.named_event);
}

TEST(Kind, NamesThatMakeNoPathAreNone) {
  EXPECT_TRUE(IsKindName("", "v1", "services"));
  EXPECT_TRUE(IsKindName("a.b-c.io", "v1beta1", "foos"));
  EXPECT_FALSE(IsKindName("", "", "services"));
  EXPECT_FALSE(IsKindName("", "v1", ""));
  EXPECT_FALSE(IsKindName("", "v1", "pods/status"));
  EXPECT_FALSE(IsKindName("", "v1", "pods?watch=true"));
  EXPECT_FALSE(IsKindName("", "v1", "Services"));
}

TEST(Kind, ResourcesAreGuessedAsUpstreamGuesses) {
  EXPECT_EQ(ResourceOf("Service"), "services");
  EXPECT_EQ(ResourceOf("StorageClass"), "storageclasses");
  EXPECT_EQ(ResourceOf("CSIStorageCapacity"), "csistoragecapacities");
  EXPECT_EQ(ResourceOf("Endpoints"), "endpoints");
  EXPECT_EQ(SplitApiVersion("apps/v1").group, "apps");
  EXPECT_EQ(SplitApiVersion("v1").group, "");
  EXPECT_EQ(SplitApiVersion("v1").version, "v1");
}

}  // namespace
}  // namespace berth::objects
