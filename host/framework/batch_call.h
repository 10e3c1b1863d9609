// One batch question to a plugin about many rows, with what the host checks around it: a guard zone behind the answers,
// a split over worker threads where the question is slow enough to pay for it.
// Thread: scheduling thread; the plugin is called there and on the workers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/parallelizer.h"
#include "berth/berth.h"
#include "plugin/instance.h"

namespace berth::framework {

// Cells behind the last answer that a plugin must leave alone.
inline constexpr size_t kGuardCells = 8;

inline void SetGuard(berth_verdict* end) {
  for (size_t i = 0; i < kGuardCells; ++i) end[i] = {0xA5, {0x5A, 0xA5, 0x5A}, 0xBEEFBEEF};
}
inline bool GuardIntact(const berth_verdict* end) {
  return std::all_of(end, end + kGuardCells, [](const berth_verdict& v) {
    return v.code == 0xA5 && v.rsv[0] == 0x5A && v.rsv[1] == 0xA5 && v.rsv[2] == 0x5A && v.reasons == 0xBEEFBEEF;
  });
}
inline void SetGuard(int64_t* end) { std::fill(end, end + kGuardCells, int64_t{0x5AA55AA5BEEFBEEF}); }
inline bool GuardIntact(const int64_t* end) {
  return std::all_of(end, end + kGuardCells, [](int64_t v) { return v == 0x5AA55AA5BEEFBEEF; });
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
