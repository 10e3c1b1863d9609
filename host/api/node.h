// A node in the host: the ABI's view, images, zone, and the fields that events compare. Immutable once published.
// Thread: any. Ownership: reference-counted; owns its ids and block references.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/block.h"
#include "api/intern_tables.h"
#include "api/manifest.h"
#include "api/ref.h"
#include "base/quantity.h"
#include "base/result.h"
#include "base/seeded_hash.h"

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
  std::vector<berth_amount> allocatable;    // the storage of abi.allocatable
  std::vector<base::Quantity> inexact;      // the exact values of the rounded amounts, in their order
  std::vector<base::Id> declared_features;  // the storage of abi.declared_features
  std::vector<NodeImage> images;
  // "region:\0:zone", the key of upstream's node tree (beta labels take precedence); "" if both are empty.
  std::string zone;
  // What only events compare: type=status of conditions; annotations; timeAdded of taints. Of canonical texts.
  base::TextDigest conditions, annotations, taint_times;
  bool ready = true;  // condition Ready is neither False nor Unknown; for messages only, the scheduler uses taints
  // Only the scheduling thread may access it while the node is in use. Heartbeats replace it.
  mutable Manifest manifest;

  explicit Node(InternTables& intern) : intern_(intern) {}
  ~Node() override;
  void SetName(std::string_view value);
  void Seal();

 private:
  InternTables& intern_;
};
using NodeRef = Ref<const Node>;

bool SameAllocatable(const Node& a, const Node& b);
// Compares the exact quantities, before rounding and regardless of their notation.
bool ExactlySameAllocatable(const Node& a, const Node& b);
bool SameImages(const Node& a, const Node& b);
// Whether two versions of a node are equal for the scheduler. Nothing reads the other differences (heartbeats,
// resourceVersion).
bool EqualForScheduling(const Node& a, const Node& b);

// Decodes a v1.Node; like DecodePod. Thread: any.
base::Result<NodeRef> DecodeNode(InternTables& intern, std::string_view json, KeepManifest keep = KeepManifest::kNo);

}  // namespace berth::api
