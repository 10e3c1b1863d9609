/* BP-100: looks for a member that the host's table does not have, and does not ask its size first. */
#include "../runtime/at_work.h"

static volatile uintptr_t later;
static berth_status init(berth_plugin* p) {
  (void)p;
  later = *(const volatile uintptr_t*)(at_work_host + 1);
  return BERTH_SUCCESS;
}
AT_WORK_PASSING("ReadsPastTheHost", init)
