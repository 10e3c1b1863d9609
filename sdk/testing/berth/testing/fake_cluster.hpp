// A cluster for tests: nodes on rows and pods on nodes, with every column computed from them.
//   FakeCluster cluster;
//   cluster.Add(FakeNode("n1").Allocatable({{"cpu", 4000}})).Add(FakePod("p").Req({{"cpu", 500}}), "n1");
// One row is left dead between the nodes of the first and the second Add, so that code which takes every row for a node
// is caught. order() is the order of Add. A plain value; a PluginUnderTest keeps a copy.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "berth/testing/fake_node.hpp"
#include "berth/testing/fake_pod.hpp"
#include "berth/testing/requests.hpp"

namespace berth::sdk::testing {

class FakeCluster {
 public:
  struct Row {
    std::shared_ptr<const NodeObject> node;  // null: dead
    std::vector<std::pair<std::string, int64_t>> images;
    std::vector<std::shared_ptr<const PodObject>> pods;
    int64_t generation = 0;
  };

  FakeCluster& Add(const FakeNode& node) {
    if (rows_.size() == 1) rows_.emplace_back();
    rows_.push_back({node.Build(), node.images(), {}, ++generation_});
    names_[node.name()] = static_cast<uint32_t>(rows_.size() - 1);
    return *this;
  }
  FakeCluster& Add(const FakePod& pod, const std::string& node) { return Add(FakePod(pod).Node(node).Build(), node); }
  FakeCluster& Add(std::shared_ptr<const PodObject> pod, const std::string& node) {
    Row& row = rows_[RowOf(node)];
    row.pods.push_back(std::move(pod));
    row.generation = ++generation_;
    return *this;
  }
  // The pod leaves its node; by uid.
  FakeCluster& Remove(const FakePod& pod, const std::string& node) { return Remove(*pod.Build(), node); }
  FakeCluster& Remove(const PodObject& pod, const std::string& node) {
    Row& row = rows_[RowOf(node)];
    std::erase_if(row.pods, [&pod](const auto& one) { return View(one->pod.uid) == View(pod.pod.uid); });
    row.generation = ++generation_;
    return *this;
  }

  // The row of a node; throws when there is no such node.
  uint32_t RowOf(const std::string& node) const {
    const auto at = names_.find(node);
    if (at == names_.end()) throw std::invalid_argument("the fake cluster has no node " + node);
    return at->second;
  }
  bool HasNode(const std::string& node) const { return names_.contains(node); }
  const std::vector<Row>& rows() const { return rows_; }
  uint32_t nodes() const { return static_cast<uint32_t>(names_.size()); }
  // The rows that are nodes, ascending.
  std::vector<uint32_t> LiveRows() const {
    std::vector<uint32_t> live;
    for (uint32_t row = 0; row < rows_.size(); ++row) {
      if (rows_[row].node != nullptr) live.push_back(row);
    }
    return live;
  }
  std::string NameOf(uint32_t row) const { return TextOf(rows_.at(row).node->node.name); }

 private:
  std::vector<Row> rows_;
  std::map<std::string, uint32_t> names_;
  int64_t generation_ = 0;
};

}  // namespace berth::sdk::testing
