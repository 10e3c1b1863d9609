/* Reads the pods of a row, but declares that its verdicts depend on no part of a row. */
#include "at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  const berth_snapshot* snapshot = (const berth_snapshot*)at_work_host->service(at_work_host, BERTH_SERVICE_SNAPSHOT);
  const berth_cycles* cycles = (const berth_cycles*)at_work_host->service(at_work_host, BERTH_SERVICE_CYCLE);
  uint32_t i;
  (void)p, (void)pod;
  for (i = 0; i < rows->n; ++i) {
    const uint32_t row = rows->rows != WELL_MADE_NULL ? rows->rows[i] : rows->first + i;
    if (snapshot->node(cycles->snap(c), row) == WELL_MADE_NULL) continue;
    if (snapshot->pods(cycles->snap(c), row).n > 0) out[i].code = BERTH_UNSCHEDULABLE;
  }
  return BERTH_SUCCESS;
}
static const berth_filter table = {sizeof(berth_filter), 0, {BERTH_REUSE | BERTH_TOTAL, 0, 0, 0, 0}, filter};

AT_WORK_LIBRARY("ReuseDeclaresTooLittle", "filter", BERTH_POINT_FILTER, table)
