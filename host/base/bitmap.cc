#include "base/bitmap.h"

#include "base/wide.h"

namespace berth::base {

// Machines from x86-64-v2 on count the bits of a word with one instruction, the others with a function of libgcc.
BERTH_WIDE size_t CountBits(const uint64_t* words, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) count += static_cast<size_t>(std::popcount(words[i]));
  return count;
}

}  // namespace berth::base
