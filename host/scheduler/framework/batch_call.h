// One call of a plugin for many rows. The host checks that the plugin does not write past the end of its results, and
// splits an expensive call over worker threads.
// Thread: scheduling thread; the plugin runs there and on the workers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
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

// The time that a plugin needs for one row at one extension point, as a moving average over calls, split or not. A call
// that the kernel interrupts takes much longer, so a high sample counts only if another one is not far away.
class RowCost {
 public:
  // ns: of all threads together.
  void Learn(uint32_t rows, int64_t ns) {
    double sample = static_cast<double>(ns) / rows;
    if (ns_per_row_ == 0) ns_per_row_ = sample;
    if (sample > kHigh * ns_per_row_) {
      since_high_ = 0;
      sample = std::min(sample, std::max(ns_per_row_, std::exchange(high_, sample)));
    } else if (++since_high_ == kFar) {
      high_ = 0;
    }
    ns_per_row_ = ns_per_row_ * 0.9 + sample * 0.1;
  }
  bool ShouldSplit(uint32_t rows) const { return ns_per_row_ * rows > kWorthSplittingNs; }

 private:
  static constexpr double kHigh = 4;    // times the average
  static constexpr uint32_t kFar = 16;  // calls
  double ns_per_row_ = 0, high_ = 0;    // high_: the last high sample, 0 if it is far away
  uint32_t since_high_ = 0;             // calls
};

// ask(rows, out) -> berth_status calls the plugin's function. out has rows.n cells and kGuardCells more. If several
// parts of a split call fail, returns the status of the part with the lowest rows. raw receives BERTH_UNIFORM of a call
// that was not split; may be null.
template <class Cell, class Ask>
plugin::Status AskRows(plugin::Instance& instance, const char* what, const berth_rows& rows, Cell* out, RowCost& cost,
                       base::Parallelizer* workers, berth_status* raw, Ask&& ask);

}  // namespace berth::framework

#include "scheduler/framework/batch_call_inl.h"
