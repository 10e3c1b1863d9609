/* BP-102: compares the size of the host's table for equality, instead of checking for the members that it needs. */
#include "../runtime/at_work.h"

static berth_status init(berth_plugin* p) {
  (void)p;
  return at_work_host->size == sizeof(berth_host) ? BERTH_SUCCESS : BERTH_ERROR;
}
AT_WORK_PASSING("WantsThisHostOnly", init)
