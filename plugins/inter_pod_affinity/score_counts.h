// The score of each topology domain for the cycle's pod. PreScore fills it, and Score reads it on many threads. Source:
// pkg/scheduler/framework/plugins/interpodaffinity/scoring.go. Pure logic.
#pragma once

#include <berth/text.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "../common/row_chunks.h"
#include "loops.h"
#include "topology.h"

namespace plugins::inter_pod {

class ScoreCounts {
 public:
  void Clear() {  // keeps the memory
    used_ = 0;
    any_ = false;
  }

  // Adds the weight to the row's domain under the key, once for each of these pods. Pods: as for AddRows.
  template <class Pods, class Fn>
  void Add(Id key, Pods pods, int32_t weight, Fn&& topology) {
    if (pods.empty()) return;
    Key& at = At(key, topology);
    any_ = AddRows(at.topology, pods, int64_t{weight}, at.cells.data()) || any_;
  }

  // Whether nothing was added to any domain. That differs from sums of 0.
  bool nothing() const { return !any_; }

  // The last call of PreScore.
  void Finish() {
    for (size_t k = 0; k < used_; ++k) keys_[k].cells[0] = 0;  // rows without the key score 0
  }

  // Sets the scores of the rows. `out` has rows.size() cells.
  void Scores(const RowChunk& rows, int64_t* out) const {
    std::fill_n(out, rows.size(), 0);
    std::array<uint32_t, kChunk> room;
    for (size_t k = 0; k < used_; ++k) {
      const Key& key = keys_[k];
      if (key.topology.of_row == nullptr) continue;
      const uint32_t* const domains = rows.Cells(key.topology.of_row, room.data());
      if (const auto score = OnlyScore(key, domains, rows.size())) {
        if (*score != 0) std::for_each(out, out + rows.size(), [&](int64_t& sum) { sum += *score; });
      } else {
        ScoreRows(domains, rows.size(), key.cells.data(), out);
      }
    }
  }

 private:
  struct Key {
    Id key = berth::sdk::kNoId;
    Topology topology;
    std::vector<int64_t> cells;
  };
  // The score of these domains if they have the same one. Looks only if there are few domains.
  static std::optional<int64_t> OnlyScore(const Key& key, const uint32_t* domains, size_t n) {
    if (key.cells.size() > 32) return {};
    uint32_t cells = CellsIn(domains, n);
    const int64_t score = key.cells[static_cast<size_t>(std::countr_zero(cells))];
    for (; cells != 0; cells &= cells - 1) {
      if (key.cells[static_cast<size_t>(std::countr_zero(cells))] != score) return {};
    }
    return score;
  }

  template <class Fn>
  Key& At(Id key, Fn&& topology) {
    for (size_t k = 0; k < used_; ++k) {
      if (keys_[k].key == key) return keys_[k];
    }
    if (used_ == keys_.size()) keys_.emplace_back();
    Key& made = keys_[used_++];
    made.key = key;
    made.topology = topology(key);
    made.cells.assign(size_t{made.topology.n} + 1, 0);
    return made;
  }

  std::deque<Key> keys_;  // the first used_ belong to this cycle
  size_t used_ = 0;
  bool any_ = false;
};

}  // namespace plugins::inter_pod
