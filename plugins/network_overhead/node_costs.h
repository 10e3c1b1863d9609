// The cost of a pod's connections on each node: the data of one cycle, which Filter and Score read. Nodes of one place
// share a result. Only nodes with pods that the pod depends on have a separate one. Thread: serial while it is filled,
// then any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "connection.h"

namespace plugins::network_overhead {

struct NodeResult {
  int64_t cost = 0, satisfied = 0, violated = 0;

  bool Rejected() const { return violated > satisfied; }
};

class NodeCosts {
 public:
  NodeCosts() = default;  // all nodes are equal
  // The tallies of the places, by number; rows: of the snapshot.
  NodeCosts(std::vector<uint32_t> place_of_row, std::vector<Tally> tallies, uint32_t rows)
      : of_row_(std::move(place_of_row)), tallies_(std::move(tallies)), places_(tallies_.size()) {
    if (of_row_.size() < rows) of_row_.resize(rows, Places::kNone);
  }

  // The row's own tally, which starts with the values of its place.
  Tally& Own(uint32_t row) {
    if (of_row_[row] < places_) {
      tallies_.push_back(Tally(tallies_[of_row_[row]]));
      of_row_[row] = static_cast<uint32_t>(tallies_.size() - 1);
    }
    return tallies_[of_row_[row]];
  }
  void Finish() {
    results_.reserve(tallies_.size());
    for (const Tally& tally : tallies_) results_.push_back({tally.Cost(), tally.satisfied, tally.violated});
    tallies_ = {};
  }

  bool equal() const { return results_.empty(); }
  const NodeResult& Of(uint32_t row) const { return results_[of_row_[row]]; }

 private:
  std::vector<uint32_t> of_row_;  // into results_
  std::vector<Tally> tallies_;    // until Finish
  size_t places_ = 0;
  std::vector<NodeResult> results_;
};

}  // namespace plugins::network_overhead
