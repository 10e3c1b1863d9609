// One batch question to a plugin about many rows, with what the host checks around it: a guard zone behind the answers,
// a split over worker threads where the question is slow enough to pay for it.
// Thread: scheduling thread; the plugin is called there and on the workers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/bitmap.h"
#include "base/parallelizer.h"
#include "berth/berth.h"
#include "plugin/instance.h"

namespace berth::framework {

// Cells behind the last answer that a plugin must leave alone.
inline constexpr size_t kGuardCells = 8;

// Both kinds of answer have eight bytes: the guard is the same words.
inline constexpr std::array<uint64_t, kGuardCells> kGuard = [] {
  std::array<uint64_t, kGuardCells> guard;
  guard.fill(0x5AA55AA5BEEFBEEF);
  return guard;
}();
template <class Cell>
void SetGuard(Cell* end) {
  static_assert(sizeof(Cell) == sizeof(uint64_t));
  std::memcpy(end, kGuard.data(), sizeof kGuard);
}
template <class Cell>
bool GuardIntact(const Cell* end) {
  return std::memcmp(end, kGuard.data(), sizeof kGuard) == 0;
}

// From here on no row is live: a multiple of 64. Of the rows that there is room for, up to half may lie behind it.
inline uint32_t EndOfRows(const base::Bitmap& live) {
  size_t words = live.n_words();
  while (words > 0 && live.words()[words - 1] == 0) --words;
  return static_cast<uint32_t>(words * 64);
}

inline constexpr uint32_t kLearnFrom = 64;  // rows; fewer say little about the cost of one

// How long a row has taken a plugin at one point, as a moving average.
struct RowCost {
  double ns_per_row = 0;
  void Learn(uint32_t rows, int64_t ns) {
    const double sample = static_cast<double>(ns) / rows;
    ns_per_row = ns_per_row == 0 ? sample : ns_per_row * 0.9 + sample * 0.1;
  }
};
inline constexpr double kWorthSplittingNs = 40'000;  // a fork and join costs about 10 us

// ask(rows, out) -> berth_status calls the plugin's function. `out` has rows.n cells and kGuardCells more. Answers the
// worst status: of several failing parts, that of the lowest rows. raw: BERTH_UNIFORM is passed on, never when split.
template <class Cell, class Ask>
plugin::Status AskRows(plugin::Instance& instance, const char* what, const berth_rows& rows, Cell* out, RowCost& cost,
                       base::Parallelizer* workers, berth_status* raw, Ask&& ask);

}  // namespace berth::framework

#include "framework/batch_call_inl.h"
