/* The note names a point whose table the instance does not have. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return BERTH_SUCCESS;
}
static const berth_filter table = {sizeof(berth_filter), 0, {0, 0, 0, 0, 0}, filter};
AT_WORK_LIBRARY("PointNotOffered", "score", BERTH_POINT_FILTER, table)
