// The original JSON of objects, kept only if there are HTTP extenders, which receive whole objects. Callers: the
// decoders, and the writer of an extender's requests. Thread: any.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "api/ref.h"

namespace berth::api {

class Pod;
struct InternTables;

class ManifestText : public RefCounted {
 public:
  explicit ManifestText(std::string json) : text(std::move(json)) {}
  const std::string text;
};
using Manifest = Ref<const ManifestText>;  // null: it was not kept
inline Manifest KeptManifest(std::string json) { return Manifest(new ManifestText(std::move(json))); }

// The objects whose manifests a decoder keeps.
enum class KeepManifest : uint8_t {
  kNo,
  kOfUnbound,  // of pods without a nodeName: extenders filter and bind them
  kYes,
};

// The document without metadata.managedFields, which kube-scheduler's informers drop too. json has been decoded before.
Manifest ManifestOf(std::string_view json);

// The current v1.Pod: its manifest with the node, nomination, and PodScheduled condition set since. A pod without a
// manifest gives only its identity.
std::string CurrentManifest(const InternTables& intern, const Pod& pod);

}  // namespace berth::api
