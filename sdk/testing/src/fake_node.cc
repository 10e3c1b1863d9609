#include "berth/testing/fake_node.hpp"

namespace berth::sdk::testing {

FakeNode::FakeNode(std::string name) : name_(std::move(name)) {}

FakeNode::FakeNode(const FakeNode&) = default;

FakeNode::FakeNode(FakeNode&&) noexcept = default;

FakeNode& FakeNode::operator=(const FakeNode&) = default;

FakeNode& FakeNode::operator=(FakeNode&&) noexcept = default;

FakeNode::~FakeNode() = default;

FakeNode& FakeNode::Name(std::string name) { return name_ = std::move(name), *this; }

FakeNode& FakeNode::Label(std::string key, std::string value) {
  return labels_[std::move(key)] = std::move(value), *this;
}

FakeNode& FakeNode::Allocatable(Amounts amounts) { return allocatable_ = std::move(amounts), *this; }

FakeNode& FakeNode::Taint(const std::string& key, const std::string& effect, const std::string& value) {
  return taints_.push_back({IdOf(key), IdOf(value), IdOf(effect)}), *this;
}

FakeNode& FakeNode::Feature(std::string declared) { return features_.push_back(std::move(declared)), *this; }

FakeNode& FakeNode::Image(std::string name, int64_t bytes) {
  return images_.emplace_back(std::move(name), bytes), *this;
}

std::shared_ptr<const NodeObject> FakeNode::Build() const {
  auto object = std::make_shared<NodeObject>();
  Arena& arena = object->arena;
  const auto labels = RawPairs(labels_);
  object->node = {
      sizeof(berth_node),
      unschedulable_ ? 1u : 0u,
      IdOf(name_),
      0,
      arena.Make(berth_labels{sizeof(berth_labels), ContentOf("labels", BytesOf(labels)), arena.Exact(labels)}),
      arena.Records(taints_),
      arena.Records(RawAmounts(allocatable_)),
      arena.Exact(RawIds(features_))};
  object->shown = arena.Make(object->node);
  return object;
}

}  // namespace berth::sdk::testing
