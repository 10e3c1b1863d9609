// The placed pods that a pod depends on, and the cost of the connections to them from each node.
// Thread: serial, in PreFilter. Ownership: borrows everything for the call.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "connection.h"
#include "cost_table.h"
#include "dependencies.h"
#include "node_costs.h"
#include "places.h"
#include "replicas.h"

namespace plugins::network_overhead {

class Demand {
 public:
  Demand(const Places& places, const CostTable& costs) : places_(places), costs_(costs) {}

  // The pod depends on these pods. Those on a deleted node do not count.
  void Add(const Dependency& dependency, const PodsOfRows& pods) {
    std::vector<int64_t> counts(places_.size());
    for (const auto& [row, count] : pods) {
      const uint32_t place = places_.Of(row);
      if (place == Places::kNone) continue;
      counts[place] += count;
      near_.push_back({row, place, dependency.max_cost, count});
    }
    for (uint32_t place = 0; place < counts.size(); ++place) {
      if (counts[place] > 0) far_.push_back({0, place, dependency.max_cost, counts[place]});
    }
  }

  bool empty() const { return near_.empty(); }

  NodeCosts Costs(uint32_t rows) const {
    NodeCosts costs(places_.of_row(), PlaceTallies(), rows);
    for (const Pods& pods : near_) {
      const Place place = places_.At(pods.place);
      Tally& own = costs.Own(pods.row);
      own.Add(ConnectionOf(place, place, pods.max_cost, costs_), -pods.count);  // the place's tally has them
      own.Add(kOnOneNode, pods.count);
    }
    costs.Finish();
    return costs;
  }

 private:
  struct Pods {
    uint32_t row, place;
    int64_t max_cost, count;
  };

  // As if all pods were on other nodes.
  std::vector<Tally> PlaceTallies() const {
    std::vector<Tally> tallies(places_.size());
    for (uint32_t from = 0; from < places_.size(); ++from) {
      if (!places_.Used(from)) continue;
      for (const Pods& pods : far_) {
        const Connection one = ConnectionOf(places_.At(from), places_.At(pods.place), pods.max_cost, costs_);
        tallies[from].Add(one, pods.count);
      }
    }
    return tallies;
  }

  const Places& places_;
  const CostTable& costs_;
  std::vector<Pods> near_;  // by row
  std::vector<Pods> far_;   // by place
};

}  // namespace plugins::network_overhead
