/* BP-103: counts pods per node in the host's column instead of a copy. */
#include "../runtime/at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  const berth_host* host = at_work_host;
  const berth_cycles* cycles = (const berth_cycles*)host->service(host, BERTH_SERVICE_CYCLE);
  const berth_snapshot* snapshot = (const berth_snapshot*)host->service(host, BERTH_SERVICE_SNAPSHOT);
  berth_column pods = {sizeof(berth_column), 0, 0, 0, WELL_MADE_NULL};
  uint32_t i;
  (void)p, (void)pod;
  memset(out, 0, rows->n * sizeof *out);
  if (!cycles || !snapshot || rows->rows == WELL_MADE_NULL) return BERTH_SUCCESS;
  if (snapshot->column(cycles->snap(c), BERTH_NODE_POD_COUNT, BERTH_ID_ABSENT, &pods) != 0) return BERTH_SUCCESS;
  for (i = 0; i < rows->n; ++i) ++((int64_t*)(uintptr_t)pods.cells)[rows->rows[i]];
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("WritesToColumns", BERTH_NORMALIZE_NONE, score, WELL_MADE_NULL)
