// The verdicts of a plugin on a list of rows: which rows it rejected. Most calls reject no row, or many rows with the
// same verdict, so 64 verdicts are read at once. Thread: any; pure.
#pragma once

#include <bit>
#include <cstdint>

#include "base/bitmap.h"
#include "berth/abi.h"

namespace berth::framework {

// Clears in pass the rows of asked that were rejected. verdicts: by position in asked, ascending. check(row, verdict)
// -> plugin::Status is called for rejections that are not equal to the last one for which it was called; the first that
// is not ok ends the reading and is returned.
template <class Check>
auto ReadListed(const base::Bitmap& asked, const berth_verdict* verdicts, base::Bitmap& pass, Check&& check);

// Of 64 verdicts: a bit for each rejection. other: whether some rejection differs from `known`.
struct Rejected64 {
  uint64_t rows = 0;
  bool other = false;
};
Rejected64 FindRejected64(const berth_verdict* verdicts, uint64_t known);

// The bytes of a verdict; 0: SUCCESS without reasons.
uint64_t BytesOf(const berth_verdict& verdict);

// ---- implementation ----

template <class Check>
auto ReadListed(const base::Bitmap& asked, const berth_verdict* verdicts, base::Bitmap& pass, Check&& check) {
  uint64_t known = 0;  // the rejection that was checked last
  decltype(check(uint32_t{0}, *verdicts)) status{};
  const auto examine = [&](uint32_t row, const berth_verdict& verdict) {
    if (verdict.code == BERTH_SUCCESS || BytesOf(verdict) == known) return true;
    known = BytesOf(verdict);
    status = check(row, verdict);
    return status.ok();
  };
  for (size_t w = 0; w < asked.n_words(); ++w) {
    const uint64_t rows = asked.words()[w];
    if (rows == 0) continue;
    uint64_t rejected = 0;
    bool other = true;
    if (rows == ~uint64_t{0}) {
      const Rejected64 found = FindRejected64(verdicts, known);
      rejected = found.rows;
      other = found.other;
    }
    if (other) {
      rejected = 0;
      const berth_verdict* verdict = verdicts;
      for (uint64_t bits = rows; bits != 0; bits &= bits - 1, ++verdict) {
        if (!examine(static_cast<uint32_t>(w * 64 + static_cast<size_t>(std::countr_zero(bits))), *verdict)) {
          return status;
        }
        if (verdict->code != BERTH_SUCCESS) rejected |= bits & -bits;
      }
    }
    pass.words()[w] &= ~rejected;
    verdicts += rows == ~uint64_t{0} ? 64 : std::popcount(rows);
  }
  return status;
}

}  // namespace berth::framework
