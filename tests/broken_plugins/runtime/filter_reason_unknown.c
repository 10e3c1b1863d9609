/* Returns a verdict with a reason list whose number the host never returned. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows;
  out[0].code = BERTH_UNSCHEDULABLE;
  out[0].reasons = 123456789;
  return BERTH_SUCCESS;
}
AT_WORK_FILTER("FilterReasonUnknown", filter)
