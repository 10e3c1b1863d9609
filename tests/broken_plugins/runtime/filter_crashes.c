/* Dereferences an invalid pointer. Only another process can survive that. */
#include "at_work.h"

static volatile int* volatile nowhere = WELL_MADE_NULL;
static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  *nowhere = 1;
  return BERTH_SUCCESS;
}
AT_WORK_FILTER("FilterCrashes", filter)
