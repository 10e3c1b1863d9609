#include "api/node.h"

#include <algorithm>

namespace berth::api {

Node::~Node() {
  intern_.ids.Drop(abi.name);
  for (const berth_amount& amount : allocatable) intern_.ids.Drop(amount.name);
  for (base::Id feature : declared_features) intern_.ids.Drop(feature);
  for (const NodeImage& image : images) {
    for (base::Id id : image.names) intern_.ids.Drop(id);
  }
}

void Node::SetName(std::string_view value) {
  const base::Id old = abi.name;
  name = value;
  abi.name = intern_.ids.Intern(value);
  intern_.ids.Drop(old);
}

bool SameAllocatable(const Node& a, const Node& b) {
  return std::equal(
      a.allocatable.begin(), a.allocatable.end(), b.allocatable.begin(), b.allocatable.end(),
      [](const berth_amount& x, const berth_amount& y) { return x.name == y.name && x.value == y.value; });
}

bool ExactlySameAllocatable(const Node& a, const Node& b) {
  const bool same_rounding =
      std::equal(a.allocatable.begin(), a.allocatable.end(), b.allocatable.begin(), b.allocatable.end(),
                 [](const berth_amount& x, const berth_amount& y) { return x.flags == y.flags; });
  return same_rounding && a.inexact == b.inexact && SameAllocatable(a, b);
}

bool SameImages(const Node& a, const Node& b) {
  return std::equal(a.images.begin(), a.images.end(), b.images.begin(), b.images.end(),
                    [](const NodeImage& x, const NodeImage& y) { return x.bytes == y.bytes && x.names == y.names; });
}

bool EqualForScheduling(const Node& a, const Node& b) {
  // Labels and taints are shared blocks: equal content is one block.
  return a.name == b.name && a.uid == b.uid && a.abi.unschedulable == b.abi.unschedulable && a.labels == b.labels &&
         a.taints == b.taints && ExactlySameAllocatable(a, b) && SameImages(a, b) && a.zone == b.zone &&
         a.conditions == b.conditions && a.annotations == b.annotations && a.declared_features == b.declared_features &&
         a.taint_times == b.taint_times;
}

void Node::Seal() {
  abi.size = sizeof abi;
  abi.labels = &labels->abi;
  abi.taints = taints->abi.items;
  abi.allocatable = {allocatable.data(), static_cast<uint32_t>(allocatable.size()), sizeof(berth_amount)};
  abi.declared_features = {declared_features.data(), static_cast<uint32_t>(declared_features.size()), sizeof(berth_id)};
}

}  // namespace berth::api
