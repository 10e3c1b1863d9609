#include "base/bitmap.h"

#include <bit>

// Without the instruction, the compiler calls a function of libgcc for each word. Sanitizers do not support the
// resolver that the choice needs.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define BERTH_WITH_POPCNT __attribute__((target_clones("popcnt", "default")))
#else
#define BERTH_WITH_POPCNT
#endif

namespace berth::base {

BERTH_WITH_POPCNT size_t CountBits(const uint64_t* words, size_t n) {
  size_t bits = 0;
  for (size_t i = 0; i < n; ++i) bits += static_cast<size_t>(std::popcount(words[i]));
  return bits;
}

}  // namespace berth::base
