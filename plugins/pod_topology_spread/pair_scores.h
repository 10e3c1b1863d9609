// The usual pod has two constraints, one by hostname and one by zone, so that its score on a node depends only on the
// pair (zone, pods of the node), of which there are few. This computes the normalized score of each pair that exists
// among the feasible nodes, so that a node's score is looked up. Thread: Find in [serial] calls, the rest in [parallel]
// ones.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "../common/row_chunks.h"
#include "loops.h"

namespace plugins::spread {

class PairScores {
 public:
  void Clear() { usable_ = false; }
  bool usable() const { return usable_; }

  // Every feasible node has a domain below `domains`. raw(domain, pods): the raw score of a node. There is no table if
  // there are too many domains or numbers of pods.
  template <class Raw>
  void Find(const berth::sdk::Rows& feasible, const uint32_t* domain_of_row, uint32_t domains,
            const int32_t* pods_of_row, Raw&& raw) {
    usable_ = false;
    if (domains > kPairDomains) return;
    domain_of_row_ = domain_of_row, pods_of_row_ = pods_of_row;
    const PodNumbers numbers = NumbersOf(feasible);
    const uint32_t any = numbers[0] | numbers[1] | numbers[2] | numbers[3];
    if (any == 0 || (any & kManyPods) != 0) return;
    least_ = static_cast<int32_t>(std::countr_zero(any));
    if (any >> least_ >= 1u << kPairNumbers) return;
    usable_ = Fill(numbers, RangeOfPairs(numbers, raw), raw);
  }

  // The normalized scores of a chunk's rows, which were feasible.
  void Score(const RowChunk& rows, int64_t* out) const {
    const Cells cells(*this, rows);
    ScoresOfPairs(cells.domains, cells.pods, rows.size(), least_, scores_.data(), out);
  }

 private:
  // Of a chunk.
  struct Cells {
    Cells(const PairScores& pairs, const RowChunk& rows)
        : domains(rows.Cells(pairs.domain_of_row_, domain_room.data())),
          pods(rows.Cells(pairs.pods_of_row_, pods_room.data())) {}
    Cells(const Cells&) = delete;  // points into itself
    std::array<uint32_t, kChunk> domain_room;
    std::array<int32_t, kChunk> pods_room;
    const uint32_t* domains;
    const int32_t* pods;
  };

  PodNumbers NumbersOf(const berth::sdk::Rows& feasible) const {
    PodNumbers numbers{};
    if (!feasible.dense()) {
      EachRowChunk(feasible, kChunk, [&](const RowChunk& chunk) {
        const Cells cells(*this, chunk);
        NotePairs(cells.domains, cells.pods, chunk.size(), numbers.data());
      });
      return numbers;
    }
    EachLiveRun(feasible, [&](uint32_t first, uint32_t n, uint64_t bits) {
      std::array<uint32_t, 64> room;
      const uint32_t* domains = domain_of_row_ + first;
      if (bits != ~uint64_t{0}) {
        PickDomains(domains, n, bits, room.data());
        domains = room.data();
      }
      NotePairs(domains, pods_of_row_ + first, n, numbers.data());
    });
    return numbers;
  }

  template <class Fn>
  static void ForEachPair(const PodNumbers& numbers, Fn&& fn) {
    for (uint32_t domain = 0; domain < kPairDomains; ++domain) {
      for (uint32_t bits = numbers[domain]; bits != 0; bits &= bits - 1) {
        fn(domain, static_cast<int32_t>(std::countr_zero(bits)));
      }
    }
  }

  template <class Raw>
  static ScoreRange RangeOfPairs(const PodNumbers& numbers, Raw&& raw) {
    ScoreRange range;
    ForEachPair(numbers, [&](uint32_t domain, int32_t pods) {
      const int64_t score = raw(domain, pods);
      range.least = std::min(range.least, score);
      range.most = std::max(range.most, score);
    });
    return range;
  }

  // Returns whether every score is in 0..100.
  template <class Raw>
  bool Fill(const PodNumbers& numbers, const ScoreRange& range, Raw&& raw) {
    scores_ = {};
    bool all = true;
    ForEachPair(numbers, [&](uint32_t domain, int32_t pods) {
      const int64_t score = Flipped(range, raw(domain, pods));
      all &= score >= 0 && score <= 100;
      scores_[domain] |= static_cast<uint32_t>(score & 0xff) << 8 * static_cast<uint32_t>(pods - least_);
    });
    return all;
  }

  bool usable_ = false;
  const uint32_t* domain_of_row_ = nullptr;
  const int32_t* pods_of_row_ = nullptr;
  int32_t least_ = 0;                            // pods of a feasible node
  std::array<uint32_t, kPairDomains> scores_{};  // a byte for each number of pods, from least_
};

}  // namespace plugins::spread
