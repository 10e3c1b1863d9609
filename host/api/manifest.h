// The original JSON of objects, kept only if there are HTTP extenders, which receive whole objects. Callers: the
// decoders, and the writer of an extender's requests. Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace berth::api {

class Pod;
struct InternTables;

using Manifest = std::shared_ptr<const std::string>;  // null: it was not kept

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
