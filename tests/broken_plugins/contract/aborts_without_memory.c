/* BP-121: ends the process when an allocation fails. */
#include "../runtime/at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  volatile int64_t* copy = (volatile int64_t*)malloc((rows->n + 1) * sizeof *out);
  uint32_t i;
  (void)p, (void)c, (void)pod;
  if (!copy) abort();
  for (i = 0; i <= rows->n; ++i) copy[i] = 7;
  for (i = 0; i < rows->n; ++i) out[i] = copy[i];
  free((void*)copy);
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("AbortsWithoutMemory", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
