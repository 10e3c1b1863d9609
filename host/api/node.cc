#include "api/node.h"

namespace berth::api {

Node::~Node() {
  words_.ids.Drop(abi.name);
  for (const berth_amount& amount : allocatable) words_.ids.Drop(amount.name);
  for (const NodeImage& image : images) {
    for (base::Id id : image.names) words_.ids.Drop(id);
  }
}

void Node::SetName(std::string_view value) {
  const base::Id old = abi.name;
  name = value;
  abi.name = words_.ids.Intern(value);
  words_.ids.Drop(old);
}

void Node::Seal() {
  abi.size = sizeof abi;
  abi.labels = &labels->abi;
  abi.taints = taints->abi.items;
  abi.allocatable = {allocatable.data(), static_cast<uint32_t>(allocatable.size()), sizeof(berth_amount)};
}

}  // namespace berth::api
