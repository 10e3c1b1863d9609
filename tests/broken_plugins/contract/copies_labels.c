/* BP-115: has room for 16 labels, and crashes when a pod has more. */
#include "../runtime/at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  (void)p, (void)c;
  if (pod->labels->items.n > 16) *(volatile int*)WELL_MADE_NULL = 1;
  memset(out, 0, rows->n * sizeof *out);
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("CopiesLabels", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
