/* BP-100: reads a member beyond the end of the host's table without a check of the table's size. */
#include "../runtime/at_work.h"

static volatile uintptr_t later;
static berth_status init(berth_plugin* p) {
  (void)p;
  later = *(const volatile uintptr_t*)(at_work_host + 1);
  return BERTH_SUCCESS;
}
AT_WORK_PASSING("ReadsPastTheHost", init)
