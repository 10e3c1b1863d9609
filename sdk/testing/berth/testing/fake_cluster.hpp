// A cluster for tests: nodes on rows and pods on nodes, with every column computed from them.
//   FakeCluster cluster;
//   cluster.Add(FakeNode("n1").Allocatable({{"cpu", 4000}})).Add(FakePod("p").Req({{"cpu", 500}}), "n1");
// One row stays dead between the nodes of the first and the second Add, so that a test catches code that takes every
// row for a node. order() is the order of Add. A plain value; a PluginUnderTest keeps a copy.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
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

  FakeCluster();
  FakeCluster(const FakeCluster&);
  FakeCluster(FakeCluster&&) noexcept;
  FakeCluster& operator=(const FakeCluster&);
  FakeCluster& operator=(FakeCluster&&) noexcept;
  ~FakeCluster();

  FakeCluster& Add(const FakeNode& node);
  FakeCluster& Add(const FakePod& pod, const std::string& node);
  FakeCluster& Add(std::shared_ptr<const PodObject> pod, const std::string& node);
  // Removes the pod with this UID from its node.
  FakeCluster& Remove(const FakePod& pod, const std::string& node);
  FakeCluster& Remove(const PodObject& pod, const std::string& node);

  // The row of a node; throws if there is no such node.
  uint32_t RowOf(const std::string& node) const;
  bool HasNode(const std::string& node) const;
  const std::vector<Row>& rows() const { return rows_; }
  uint32_t nodes() const;
  // The rows that have a node, ascending.
  std::vector<uint32_t> LiveRows() const;
  std::string NameOf(uint32_t row) const;

 private:
  std::vector<Row> rows_;
  std::map<std::string, uint32_t> names_;
  int64_t generation_ = 0;
};

}  // namespace berth::sdk::testing
