/* Aborts the process. Only another process can survive that. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  abort();
}
AT_WORK_FILTER("FilterAborts", filter)
