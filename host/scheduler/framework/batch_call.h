// One call of a plugin for many rows. The host checks that the plugin does not write past the end of its results, and
// splits an expensive call over worker threads.
// Thread: scheduling thread; the plugin runs there and on the workers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/bitmap.h"
#include "base/parallelizer.h"
#include "berth/berth.h"
#include "plugin/instance/instance.h"

namespace berth::framework {

// Cells after the last result, which a plugin must not change.
inline constexpr size_t kGuardCells = 8;

// Verdicts and scores both have eight bytes, so one guard serves both.
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

// The end of the live rows, rounded up to a multiple of 64. Up to half of the capacity can lie after it.
inline uint32_t EndOfRows(const base::Bitmap& live) {
  size_t words = live.n_words();
  while (words > 0 && live.words()[words - 1] == 0) --words;
  return static_cast<uint32_t>(words * 64);
}

inline constexpr uint32_t kLearnFrom = 64;  // rows; a call for fewer rows is too short to measure

inline constexpr double kWorthSplittingNs = 40'000;  // a fork and join costs about 10 us
inline constexpr uint32_t kRelearnEvery = 32;        // calls that are worth splitting

// The time that a plugin needs for one row at one extension point. A call takes longer than the plugin needs when the
// machine is busy, and never less, so the average rises slowly and falls fast.
class RowCost {
 public:
  // Of a call that was not split.
  void Learn(uint32_t rows, int64_t ns) {
    const double sample = static_cast<double>(ns) / rows;
    if (ns_per_row_ == 0) {
      ns_per_row_ = sample;
    } else if (sample < ns_per_row_) {
      ns_per_row_ = (ns_per_row_ + sample) / 2;
    } else {
      ns_per_row_ += std::min(sample - ns_per_row_, ns_per_row_) * 0.1;
    }
  }
  // Whether to split the next call. Now and then a call that is worth splitting is not split, to learn from it.
  bool ShouldSplit(uint32_t rows) {
    if (ns_per_row_ * rows <= kWorthSplittingNs) return false;
    return ++worth_splitting_ % kRelearnEvery != 0;
  }

 private:
  double ns_per_row_ = 0;
  uint32_t worth_splitting_ = 0;  // calls
};

// ask(rows, out) -> berth_status calls the plugin's function. out has rows.n cells and kGuardCells more. If several
// parts of a split call fail, returns the status of the part with the lowest rows. raw receives BERTH_UNIFORM of a call
// that was not split; may be null.
template <class Cell, class Ask>
plugin::Status AskRows(plugin::Instance& instance, const char* what, const berth_rows& rows, Cell* out, RowCost& cost,
                       base::Parallelizer* workers, berth_status* raw, Ask&& ask);

}  // namespace berth::framework

#include "scheduler/framework/batch_call_inl.h"
