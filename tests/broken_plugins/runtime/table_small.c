/* A table shorter than the ABI's. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return BERTH_SUCCESS;
}
static const berth_filter table = {16, 0, {0, 0, 0, 0, 0}, filter};
AT_WORK_LIBRARY("TableSmall", "filter", BERTH_POINT_FILTER, table)
