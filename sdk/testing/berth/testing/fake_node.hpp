// Nodes for tests: FakeNode("n1").Label("zone", "a").Allocatable({{"cpu", 4000}, {"pods", 110}}).Taint("gpu",
// "NoSchedule"). Amounts are in the ABI's units. A plain value.
#pragma once

#include <cstdint>
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
  explicit FakeNode(std::string name = "node");
  FakeNode(const FakeNode&);
  FakeNode(FakeNode&&) noexcept;
  FakeNode& operator=(const FakeNode&);
  FakeNode& operator=(FakeNode&&) noexcept;
  ~FakeNode();

  FakeNode& Name(std::string name);
  FakeNode& Label(std::string key, std::string value);
  FakeNode& Unschedulable(bool value = true) { return unschedulable_ = value, *this; }
  FakeNode& Allocatable(Amounts amounts);
  FakeNode& Taint(const std::string& key, const std::string& effect, const std::string& value = "");
  FakeNode& Feature(std::string declared);
  FakeNode& Image(std::string name, int64_t bytes);

  const std::string& name() const { return name_; }
  const std::vector<std::pair<std::string, int64_t>>& images() const { return images_; }

  std::shared_ptr<const NodeObject> Build() const;

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
