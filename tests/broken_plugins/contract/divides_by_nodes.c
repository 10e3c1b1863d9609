/* BP-119: divides by the number of nodes without a check for zero. */
#include "../runtime/at_work.h"

static volatile uint32_t average;
static berth_status pre_filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_names* out) {
  const berth_snapshot* snapshot = (const berth_snapshot*)at_work_host->service(at_work_host, BERTH_SERVICE_SNAPSHOT);
  const berth_cycles* cycles = (const berth_cycles*)at_work_host->service(at_work_host, BERTH_SERVICE_CYCLE);
  const uint32_t nodes = snapshot->nodes(cycles->snap(c));
  (void)p, (void)pod, (void)out;
  if (nodes == 0) __builtin_trap(); /* as an integer division by zero does on x86 */
  average = 100 / nodes;
  return BERTH_SUCCESS;
}
static const berth_pre_filter table = {sizeof(berth_pre_filter), 0, pre_filter};
AT_WORK_LIBRARY("DividesByNodes", "preFilter", BERTH_POINT_PRE_FILTER, table)
