// Nodes for tests: FakeNode("n1").Label("zone", "a").Allocatable({{"cpu", 4000}, {"pods", 110}}).Taint("gpu",
// "NoSchedule"). Amounts are in the ABI's units. A plain value.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "berth/node.h"
#include "berth/testing/fake_pod.hpp"

namespace berth::sdk::testing {

// A node's C view and the memory behind it.
struct NodeObject {
  Arena arena;
  berth_node node{};
  const berth_node* shown = nullptr;
  const berth_node* raw() const { return shown; }
};

class FakeNode {
 public:
  explicit FakeNode(std::string name = "node") : name_(std::move(name)) {}

  FakeNode& Name(std::string name) { return name_ = std::move(name), *this; }
  FakeNode& Label(std::string key, std::string value) { return labels_[std::move(key)] = std::move(value), *this; }
  FakeNode& Unschedulable(bool value = true) { return unschedulable_ = value, *this; }
  FakeNode& Allocatable(Amounts amounts) { return allocatable_ = std::move(amounts), *this; }
  FakeNode& Taint(const std::string& key, const std::string& effect, const std::string& value = "") {
    return taints_.push_back({IdOf(key), IdOf(value), IdOf(effect)}), *this;
  }
  FakeNode& Feature(std::string declared) { return features_.push_back(std::move(declared)), *this; }
  FakeNode& Image(std::string name, int64_t bytes) { return images_.emplace_back(std::move(name), bytes), *this; }

  const std::string& name() const { return name_; }
  const std::vector<std::pair<std::string, int64_t>>& images() const { return images_; }

  std::shared_ptr<const NodeObject> Build() const {
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

 private:
  std::string name_;
  std::map<std::string, std::string> labels_;
  bool unschedulable_ = false;
  Amounts allocatable_;
  Texts features_;
  std::vector<berth_taint> taints_;
  std::vector<std::pair<std::string, int64_t>> images_;
};

}  // namespace berth::sdk::testing
