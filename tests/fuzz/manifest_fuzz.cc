// Manifests, as one JSON object of an API server and as files that are read, admitted, and expanded: each must be
// refused with a reason, or every reported object must have a name.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "api/node.h"
#include "api/pod.h"
#include "memory_file.h"
#include "simulator/manifests/expansion.h"
#include "simulator/manifests/manifest_loader.h"
#include "simulator/manifests/reader.h"

namespace {

class NamedOnly : public berth::manifests::Listener {
 public:
  void SetNode(berth::api::NodeRef node) override { Expect(node->name); }
  void SetPod(berth::api::PodRef pod) override { Expect(pod->key()); }
  void RemoveNode(std::string_view name) override { Expect(name); }
  void RemovePod(std::string_view key) override { Expect(key); }

 private:
  static void Expect(std::string_view name) {
    if (name.empty()) std::abort();
  }
};

// A workload has as many pods as it requests. An input that requests billions is not a fault of the reader, so skip it.
bool HasFewPods(const std::string& path) {
  bool few = true;
  (void)berth::manifests::ReadManifests(path, [&](const berth::manifests::Object& object) {
    if (berth::manifests::IsWorkload(object.kind)) {
      few = few && berth::manifests::ReplicasOf(object.kind, object.value) <= 100;
    }
    return berth::base::Result<void>();
  });
  return few;
}

template <class T>
void ExpectReason(const berth::base::Result<T>& result) {
  if (!result && result.error().message.empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::api::InternTables intern;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ExpectReason(berth::api::DecodePod(intern, text));
  ExpectReason(berth::api::DecodeNode(intern, text));

  const MemoryFile file(data, size);
  if (!HasFewPods(file.path())) return 0;
  NamedOnly listener;
  berth::manifests::Loader loader(intern, listener, 0);
  ExpectReason(loader.Apply({file.path()}, berth::manifests::Applying::kStart));
  ExpectReason(loader.Apply({file.path()}, berth::manifests::Applying::kStep));
  return 0;
}
