// The cost of a connection from one place to another, and whether a dependency accepts it. Pure; thread: any.
// Source: checkMaxNetworkCostRequirements and getAccumulatedCost of pkg/networkaware/networkoverhead/networkoverhead.go
// of kubernetes-sigs/scheduler-plugins.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "cost_table.h"
#include "places.h"

namespace plugins::network_overhead {

inline constexpr int64_t kUnknownCost = 100;  // MaxCost
inline constexpr int64_t kSameZoneCost = 1;
inline constexpr int64_t kSameNodeCost = 0;

struct Connection {
  int64_t cost;
  bool satisfied = false, violated = false;  // neither: the cost is unknown
};

inline constexpr Connection kOnOneNode{kSameNodeCost, true, false};

// Between two nodes. max_cost: what the dependency accepts.
inline Connection ConnectionOf(const Place& from, const Place& to, int64_t max_cost, const CostTable& costs) {
  if (to.unknown()) return {kUnknownCost, false, true};
  const bool near = from.region == to.region;
  if (near && from.zone == to.zone) return {kSameZoneCost, true, false};
  const std::optional<int64_t> cost = near ? costs.Zone(from.zone, to.zone) : costs.Region(from.region, to.region);
  if (!cost) return {kUnknownCost, false, false};
  return {*cost, *cost <= max_cost, *cost > max_cost};
}

// The sum of a node's connections.
struct Tally {
  __int128 cost = 0;
  int64_t satisfied = 0, violated = 0;

  // times: the number of such connections; negative: removes them.
  void Add(const Connection& connection, int64_t times) {
    cost += static_cast<__int128>(connection.cost) * times;
    if (connection.satisfied) satisfied += times;
    if (connection.violated) violated += times;
  }
  int64_t Cost() const {
    using Limits = std::numeric_limits<int64_t>;
    if (cost > Limits::max()) return Limits::max();
    return cost < Limits::min() ? Limits::min() : static_cast<int64_t>(cost);
  }
};

}  // namespace plugins::network_overhead
