/* Writes one score more than the number of rows. */
#include "at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  (void)p, (void)c, (void)pod;
  memset(out, 0, (rows->n + 1) * sizeof *out);
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("ScoreWritesPastN", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
