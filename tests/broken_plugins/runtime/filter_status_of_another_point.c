/* Filter returns WAIT, a status that only another extension point may return. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return BERTH_WAIT;
}
AT_WORK_FILTER("FilterStatusOfAnotherPoint", filter)
