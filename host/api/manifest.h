// The JSON that an object came as, kept for HTTP extenders alone: they are sent whole objects. Without extenders
// nothing is kept. Callers: decoders when they are asked to, and who writes an extender's request. Thread: any.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace berth::api {

class Pod;
struct Vocabulary;

using Manifest = std::shared_ptr<const std::string>;  // null: it was not kept

// Whose manifests a decoder keeps.
enum class KeepManifest : uint8_t {
  kNo,
  kOfUnbound,  // of a pod without a nodeName: extenders are asked about it
  kYes,
};

// The document without metadata.managedFields, as kube-scheduler's informers keep pods. json has been decoded before.
Manifest ManifestOf(std::string_view json);

// A v1.Pod as it is now: its manifest, with the node, nomination and PodScheduled condition that have been learnt
// since. Of a pod without a manifest only what names it.
std::string CurrentManifest(const Vocabulary& words, const Pod& pod);

}  // namespace berth::api
