/* Loops for ever. */
#include "at_work.h"

static volatile int circles = 1;
static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  while (circles) {
  }
  return BERTH_SUCCESS;
}
AT_WORK_FILTER("FilterNeverReturns", filter)
