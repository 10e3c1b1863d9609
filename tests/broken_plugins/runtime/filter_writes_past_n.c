/* Writes one verdict more than the number of rows. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod;
  memset(out, 0, (rows->n + 1) * sizeof *out);
  return BERTH_SUCCESS;
}
AT_WORK_FILTER("FilterWritesPastN", filter)
