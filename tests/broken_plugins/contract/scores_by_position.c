/* BP-111: the score of a row depends on its position in the call. */
#include "../runtime/at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  uint32_t i;
  (void)p, (void)c, (void)pod;
  for (i = 0; i < rows->n; ++i) out[i] = i % 100;
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("ScoresByPosition", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
