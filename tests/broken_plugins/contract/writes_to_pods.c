/* BP-103: writes the pod's priority into the pod. The value does not change, so no other rule finds the write. */
#include "../runtime/at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  berth_pod* mine = (berth_pod*)(uintptr_t)pod;
  (void)p, (void)c;
  *(volatile int32_t*)&mine->priority = pod->priority;
  memset(out, 0, rows->n * sizeof *out);
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("WritesToPods", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
