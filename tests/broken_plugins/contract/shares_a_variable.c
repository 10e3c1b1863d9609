/* BP-114: keeps data of one call in a variable that all calls share. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <time.h>

#include "../runtime/at_work.h"

static volatile uint32_t row;
static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  const struct timespec nap = {0, 1000};
  uint32_t i;
  (void)p, (void)c, (void)pod;
  for (i = 0; i < rows->n; ++i) {
    row = rows->rows != WELL_MADE_NULL ? rows->rows[i] : rows->first + i;
    /* Other threads run meanwhile, also if all of them have one CPU together. */
    if (row % 64 == 0) nanosleep(&nap, WELL_MADE_NULL);
    out[i] = row % 100;
  }
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("SharesAVariable", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
