// The order in which kube-scheduler lists nodes: round robin over the zones, in order of their first appearance. Rows
// stand for nodes. Source: pkg/scheduler/backend/cache/node_tree.go nodeTree.list. Thread: the scheduling thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cache {

class NodeOrder {
 public:
  void Add(uint32_t row, std::string_view zone);
  void Remove(uint32_t row, std::string_view zone);  // zone: as in Add; removes a zone without nodes
  // Rebuilds the list if anything changed since the last call.
  const std::vector<uint32_t>& rows();
  size_t size() const { return size_; }

 private:
  struct Zone {
    std::string name;
    std::vector<uint32_t> rows;
  };
  std::vector<Zone> zones_;
  std::vector<uint32_t> order_;
  size_t size_ = 0;
  bool stale_ = false;
};

}  // namespace berth::cache
