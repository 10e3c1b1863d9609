// A node as the host keeps it: the ABI's view plus images, zone and what events compare. Immutable once published.
// Thread: any. Ownership: counted; owns its ids and block references.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/block.h"
#include "api/manifest.h"
#include "api/ref.h"
#include "api/vocabulary.h"
#include "base/quantity.h"
#include "base/result.h"

namespace berth::api {

struct NodeImage {
  std::vector<base::Id> names;  // owned by the node
  int64_t bytes = 0;
};

class Node : public RefCounted {
 public:
  berth_node abi{};

  std::string name, uid, resource_version;
  Ref<const LabelsBlock> labels;
  Ref<const TaintsBlock> taints;
  std::vector<berth_amount> allocatable;    // what abi.allocatable shows
  std::vector<base::Quantity> inexact;      // of those amounts that were rounded, in their order, what they were before
  std::vector<base::Id> declared_features;  // what abi.declared_features shows
  std::vector<NodeImage> images;
  // "region:\0:zone" as upstream's node tree keys zones (beta labels win); "" when both are empty.
  std::string zone;
  // Canonical texts, only compared by events: type=status of conditions; annotations; timeAdded of taints.
  std::string conditions, annotations, taint_times;
  bool ready = true;  // condition Ready is not False or Unknown; for people, the scheduler goes by taints
  // Of a node that is in use only the scheduling thread may touch it: heartbeats renew it and nothing else.
  mutable Manifest manifest;

  explicit Node(Vocabulary& words) : words_(words) {}
  ~Node() override;
  void SetName(std::string_view value);
  void Seal();

 private:
  Vocabulary& words_;
};
using NodeRef = Ref<const Node>;

bool SameAllocatable(const Node& a, const Node& b);
// As quantities, before anything is rounded, whatever their spelling.
bool ExactlySameAllocatable(const Node& a, const Node& b);
bool SameImages(const Node& a, const Node& b);
// Do two versions of a node say the same to a scheduler? What differs then (heartbeats, resourceVersion) nobody reads.
bool SaysTheSame(const Node& a, const Node& b);

// Decodes a v1.Node; as DecodePod. Thread: any.
base::Result<NodeRef> DecodeNode(Vocabulary& words, std::string_view json, KeepManifest keep = KeepManifest::kNo);

}  // namespace berth::api
