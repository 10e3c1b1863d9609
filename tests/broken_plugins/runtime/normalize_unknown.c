/* Requests a normalization that does not exist. */
#include "at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("NormalizeUnknown", 77, score, WELL_MADE_NULL)
