/* Returns a verdict that does not exist. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod;
  out[rows->n - 1].code = 200;
  return BERTH_SUCCESS;
}
AT_WORK_FILTER("FilterVerdictUnknown", filter)
