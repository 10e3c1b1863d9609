// The topologies that are in use, by the name of their node, and the rows that show them on the board.
// Thread: [serial]. Ownership: the board outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "board.h"
#include "topology.h"

namespace plugins::node_topology {

class Nodes {
 public:
  explicit Nodes(Board& board) : board_(board) {}

  void Came(const std::string& name, uint32_t row) {
    Node& node = nodes_[name];
    node.row = row;
    names_[row] = name;
    Show(node);
    board_.SetStale(row, node.stale);
  }
  void Left(const std::string& name) {
    const auto at = nodes_.find(name);
    if (at == nodes_.end() || !at->second.row) return;
    board_.Clear(*at->second.row);
    board_.SetStale(*at->second.row, false);
    board_.SetRejected(*at->second.row, false);
    names_.erase(*at->second.row);
    at->second.row.reset();
    ForgetEmpty(at);
  }

  void Use(const std::string& name, Topology topology) {
    Node& node = nodes_[name];
    node.topology = std::move(topology);
    Show(node);
  }
  void Forget(const std::string& name) {
    const auto at = nodes_.find(name);
    if (at == nodes_.end()) return;
    at->second.topology.reset();
    Show(at->second);
    ForgetEmpty(at);
  }
  void SetStale(const std::string& name, bool stale) {
    const auto at = nodes_.try_emplace(name).first;
    at->second.stale = stale;
    if (at->second.row) board_.SetStale(*at->second.row, stale);
    ForgetEmpty(at);
  }

  // Shows the topology unchanged, without the amounts that were taken from the board.
  void Restore(const std::string& name) {
    const auto at = nodes_.find(name);
    if (at != nodes_.end()) Show(at->second);
  }

  // Null: the node has no topology.
  const Topology* Find(const std::string& name) const {
    const auto at = nodes_.find(name);
    return at == nodes_.end() || !at->second.topology ? nullptr : &*at->second.topology;
  }
  // Of a row that belongs to a node.
  const std::string& NameOf(uint32_t row) const { return names_.at(row); }
  std::optional<uint32_t> RowOf(const std::string& name) const {
    const auto at = nodes_.find(name);
    return at == nodes_.end() ? std::nullopt : at->second.row;
  }

 private:
  struct Node {
    std::optional<uint32_t> row;  // none: there is no such node
    std::optional<Topology> topology;
    bool stale = false;
  };
  using Map = std::unordered_map<std::string, Node>;

  void Show(const Node& node) {
    if (!node.row) return;
    if (node.topology) {
      board_.Set(*node.row, *node.topology);
    } else {
      board_.Clear(*node.row);
    }
  }
  void ForgetEmpty(Map::iterator at) {
    if (!at->second.row && !at->second.topology && !at->second.stale) nodes_.erase(at);
  }

  Board& board_;
  Map nodes_;
  std::unordered_map<uint32_t, std::string> names_;  // by row
};

}  // namespace plugins::node_topology
