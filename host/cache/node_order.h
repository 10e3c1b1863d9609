// kube-scheduler's list order of nodes: round robin over zones in order of first appearance (core.md 6.2;
// pkg/scheduler/backend/cache/node_tree.go). Rows stand for nodes. Thread: scheduling thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cache {

class NodeOrder {
 public:
  void Add(uint32_t row, std::string_view zone);
  void Remove(uint32_t row, std::string_view zone);  // the zone it was added with; a zone without nodes goes
  // Rebuilt when something changed since the last call.
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
