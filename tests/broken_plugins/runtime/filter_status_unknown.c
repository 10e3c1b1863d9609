/* Filter returns a status that does not exist. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return 77;
}
AT_WORK_FILTER("FilterStatusUnknown", filter)
