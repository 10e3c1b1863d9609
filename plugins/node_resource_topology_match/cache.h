// The plugin's view of nodes between two reports of their agents. The base class uses each report at once and counts no
// pods itself. Source: pkg/noderesourcetopology/cache/passthrough.go of kubernetes-sigs/scheduler-plugins, which asks
// the API server in each call.
// Thread: [serial]. Ownership: the board outlives it.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "board.h"
#include "nodes.h"
#include "topology.h"

namespace plugins::node_topology {

// A pod on its way to a node; a copy for tasks.
struct Traveler {
  std::string uid, node;
};

class Cache {
 public:
  Cache(Board& board, const berth::sdk::Objects& objects, bool reads_limits = false)
      : board_(board), nodes_(board), reader_(objects, reads_limits) {}
  Cache(const Cache&) = delete;
  virtual ~Cache() = default;

  virtual void TopologyChanged(const berth::sdk::Object& before, const berth::sdk::Object& now) {
    if (now) return nodes_.Use(std::string(now.name()), reader_.Read(now));
    nodes_.Forget(std::string(before.name()));
  }
  virtual void PodChanged(const berth::sdk::Object&, const berth::sdk::Object&) {}
  virtual void NodeCame(const std::string& name, uint32_t row) { nodes_.Came(name, row); }
  virtual void NodeLeft(const std::string& name) { nodes_.Left(name); }

  // Whether it follows the attempts of pods: Reserve, and then Release or Bound.
  virtual bool follows() const { return false; }
  virtual void Reserve(const Traveler&, const berth::sdk::Pod&) {}
  virtual void Release(const Traveler&) {}
  virtual void Bound(const Traveler&) {}

  // Does a part of the work that changes require. Returns whether more work is left.
  virtual bool Resync() { return false; }
  // Whether a node has more room since the last call, because a new report is in use.
  virtual bool TakeImprovement() { return false; }

  // For the next instance, and from the previous one.
  virtual std::string Save() const { return ""; }
  virtual void Load(std::string_view) {}
  // The part that depends only on the objects and nodes.
  virtual std::string Dump() const { return board_.Dump(); }

 protected:
  Board& board_;
  Nodes nodes_;
  const TopologyReader reader_;
};

}  // namespace plugins::node_topology
