/* BP-101: logs without a check that the host has the log service. */
#include "../runtime/at_work.h"

static berth_status init(berth_plugin* p) {
  const berth_log* log = (const berth_log*)at_work_host->service(at_work_host, BERTH_SERVICE_LOG);
  (void)p;
  (void)log->enabled(at_work_host, 5);
  return BERTH_SUCCESS;
}
AT_WORK_PASSING("NeedsEveryService", init)
