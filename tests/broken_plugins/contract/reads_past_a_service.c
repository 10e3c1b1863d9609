/* BP-100: reads past the end of a service's table, but only in Less, which only the queue of Berth's own host calls. */
#include "../runtime/at_work.h"
#include "berth/queue_sort.h"

static volatile uintptr_t later;
static int32_t less(berth_plugin* p, const berth_queued* a, const berth_queued* b) {
  const berth_log* log = (const berth_log*)at_work_host->service(at_work_host, BERTH_SERVICE_LOG);
  (void)p;
  if (log != WELL_MADE_NULL) later = *(const volatile uintptr_t*)(log + 1);
  return a->queued_unix_ns < b->queued_unix_ns;
}
static const berth_queue_sort table = {sizeof(berth_queue_sort), 0, less};
AT_WORK_LIBRARY("ReadsPastAService", "queueSort", BERTH_POINT_QUEUE_SORT, table)
