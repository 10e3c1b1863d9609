// The loops over thousands of rows and domains. Pure logic; thread: any.
#pragma once

#include <berth/hot.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace plugins::inter_pod {

inline constexpr size_t kChunk = 512;  // rows judged at once, on the stack

// Raises codes[i] to at least `code` where counts[i] is above zero.
BERTH_HOT inline void RaiseWhereAny(const int32_t* counts, size_t n, uint8_t code, uint8_t* codes) {
  for (size_t i = 0; i < n; ++i) codes[i] = std::max(codes[i], counts[i] > 0 ? code : uint8_t{0});
}
// ... where it is not.
BERTH_HOT inline void RaiseWhereNone(const int32_t* counts, size_t n, uint8_t code, uint8_t* codes) {
  for (size_t i = 0; i < n; ++i) codes[i] = std::max(codes[i], counts[i] <= 0 ? code : uint8_t{0});
}

// Bit per code that occurs.
BERTH_HOT inline uint32_t CodesIn(const uint8_t* codes, size_t n) {
  uint32_t seen = 0;
  for (size_t i = 0; i < n; ++i) seen |= 1u << codes[i];
  return seen;
}

// Raises out[i] to at least the code of domains[i]. codes[0] is for rows without a domain.
BERTH_HOT inline void RaiseRows(const uint32_t* domains, size_t n, const uint8_t* codes, uint8_t* out) {
  for (size_t i = 0; i < n; ++i) out[i] = std::max(out[i], codes[domains[i] + 1u]);
}

// out[i] = verdict, as bits, where bit domains[i] + 1 of closed is set, otherwise 0. domains[i] + 1 is below 32.
BERTH_HOT inline void RefuseRows(const uint32_t* domains, size_t n, uint32_t closed, uint64_t verdict, uint64_t* out) {
  for (size_t i = 0; i < n; ++i) out[i] = verdict & -uint64_t{closed >> ((domains[i] + 1u) & 31) & 1};
}

// Bit domains[i] + 1 for each i. domains[i] + 1 is below 32.
BERTH_HOT inline uint32_t CellsIn(const uint32_t* domains, size_t n) {
  uint32_t cells = 0;
  for (size_t i = 0; i < n; ++i) cells |= 1u << ((domains[i] + 1u) & 31);
  return cells;
}

// out[i] += the score of domains[i].
BERTH_HOT inline void ScoreRows(const uint32_t* domains, size_t n, const int64_t* scores, int64_t* out) {
  for (size_t i = 0; i < n; ++i) out[i] += scores[domains[i] + 1u];
}

// The least and the greatest of some scores.
struct Bounds {
  int64_t least = std::numeric_limits<int64_t>::max(), most = std::numeric_limits<int64_t>::min();
  void Add(int64_t score) {
    least = std::min(least, score);
    most = std::max(most, score);
  }
};

// a - b. Wraps as in Go.
inline int64_t Minus(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) - static_cast<uint64_t>(b));
}

// `score` on a scale from 0, the least, to 100, the greatest; 0 if they are equal. As upstream, it divides first: 29 of
// 100 becomes 28.
inline int64_t Scaled(const Bounds& bounds, int64_t score) {
  const int64_t span = Minus(bounds.most, bounds.least);
  if (span <= 0) return 0;
  return static_cast<int64_t>(100.0 * (static_cast<double>(Minus(score, bounds.least)) / static_cast<double>(span)));
}

// Scales all n scores.
BERTH_HOT inline void ScaleBetween(int64_t* io, size_t n) {
  Bounds bounds;
  for (size_t i = 0; i < n; ++i) bounds.Add(io[i]);
  for (size_t i = 0; i < n; ++i) io[i] = Scaled(bounds, io[i]);
}

}  // namespace plugins::inter_pod
