// BP-121: operator new throws, and nothing catches it. The text grows in libstdc++, not in the library itself.
#include <string>

#include "../runtime/at_work.h"

namespace {
berth_status Score(berth_plugin*, berth_cycle*, const berth_pod*, const berth_rows* rows, int64_t* out) {
  std::string text;
  for (uint32_t i = 0; i < rows->n; ++i) out[i] = static_cast<int64_t>(text.append(7, 'a').size());
  for (uint32_t i = 0; i < rows->n; ++i) out[i] = 7;
  return BERTH_SUCCESS;
}
}  // namespace

extern "C" {
AT_WORK_SCORE("ThrowsWithoutMemory", BERTH_NORMALIZE_NONE, Score, nullptr)
}
