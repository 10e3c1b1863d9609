/* BP-114: keeps data of one call in a variable that all calls share. */
#include "../runtime/at_work.h"

static volatile uint32_t row;
static volatile int pause_here;
static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  uint32_t i;
  (void)p, (void)c, (void)pod;
  for (i = 0; i < rows->n; ++i) {
    row = rows->rows != WELL_MADE_NULL ? rows->rows[i] : rows->first + i;
    for (pause_here = 0; pause_here < 2000;) pause_here = pause_here + 1;
    out[i] = row % 100;
  }
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("SharesAVariable", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
