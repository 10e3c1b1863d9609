/* BP-113: the score of a row depends on the number of rows in the call. */
#include "../runtime/at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  uint32_t i;
  (void)p, (void)c, (void)pod;
  for (i = 0; i < rows->n; ++i) out[i] = rows->n % 100;
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("ScoresByCompany", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
