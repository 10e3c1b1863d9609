/* BP-112: a score depends on the number of earlier calls. */
#include "../runtime/at_work.h"

static int64_t calls;
static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  uint32_t i;
  (void)p, (void)c, (void)pod;
  ++calls;
  for (i = 0; i < rows->n; ++i) out[i] = calls % 100;
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("CountsItsCalls", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
