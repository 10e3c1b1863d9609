/* Returns a score above 100, the highest valid score. */
#include "at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  (void)p, (void)c, (void)pod, (void)rows;
  out[0] = 101;
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("ScoreTooHigh", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
