/* Returns, but after the deadline of the call. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <time.h>

#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  const struct timespec nap = {0, 200000000};
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  nanosleep(&nap, WELL_MADE_NULL);
  return BERTH_SUCCESS;
}
AT_WORK_FILTER("FilterLate", filter)
