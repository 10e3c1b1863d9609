#include "reserved.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace berth::upstream {
namespace {

const json::Value& Shown(OnePlugin& host, const char* resource, const json::Value& object) {
  static const json::Value nothing;
  const objects::ObjectStore& store = host.engine().objects();
  const std::string& ns = At(At(object, "metadata"), "namespace").string();
  const bool of_cluster = std::string_view(resource) == "persistentvolumes";
  const objects::Object* found = store.Get(store.Find("", "v1", resource),
                                           of_cluster   ? ""
                                           : ns.empty() ? "default"
                                                        : ns,
                                           At(At(object, "metadata"), "name").string());
  return found == nullptr ? nothing : found->value;
}
const std::string& ClaimOf(const json::Value& volume) {
  return At(At(At(volume, "spec"), "claimRef"), "name").string();
}
const std::string& NodeOf(const json::Value& claim) {
  return At(At(At(claim, "metadata"), "annotations"), "volume.kubernetes.io/selected-node").string();
}

}  // namespace

// Volumes and claims that the call does not name must not change.
void CheckReserve(OnePlugin& host, const Case& c, const json::Value& call, const std::string& node) {
  const plugin::Status status = host.Reserve(node);
  ASSERT_TRUE(status.ok()) << status.Message();
  const json::Value& statics = At(call, "statics");
  const json::Array& provisioned = At(call, "provisioned").array();
  size_t seen = 0;
  for (const json::Value& object : c.objects) {
    const std::string &kind = At(object, "kind").string(), &name = At(At(object, "metadata"), "name").string();
    if (kind == "PersistentVolume") {
      const bool bound = statics.Find(name) != nullptr;
      seen += bound ? 1 : 0;
      EXPECT_EQ(ClaimOf(Shown(host, "persistentvolumes", object)), bound ? At(statics, name).string() : ClaimOf(object))
          << name;
    } else if (kind == "PersistentVolumeClaim") {
      const bool made = std::any_of(provisioned.begin(), provisioned.end(),
                                    [&](const json::Value& one) { return one.string() == name; });
      seen += made ? 1 : 0;
      EXPECT_EQ(NodeOf(Shown(host, "persistentvolumeclaims", object)), made ? node : NodeOf(object)) << name;
    }
  }
  EXPECT_EQ(seen, statics.object().size() + provisioned.size());
}

}  // namespace berth::upstream
