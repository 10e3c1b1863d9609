/* BP-82: each instance leaks 64 KiB. */
#include "../runtime/at_work.h"

static char* volatile kept;
static berth_status init(berth_plugin* p) {
  (void)p;
  kept = (char*)malloc(1 << 16);
  return BERTH_SUCCESS;
}
AT_WORK_PASSING("ForgetsItsMemory", init)
