/* BP-122: blocks the thread of PreBind for two seconds, even if the attempt is canceled. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <time.h>

#include "../runtime/at_work.h"
#include "berth/binding.h"

static berth_status pre_bind(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node, berth_op* op) {
  const struct timespec nap = {2, 0};
  (void)p, (void)c, (void)pod, (void)node, (void)op;
  nanosleep(&nap, WELL_MADE_NULL);
  return BERTH_SUCCESS;
}
static const berth_pre_bind table = {sizeof(berth_pre_bind), 0, WELL_MADE_NULL, pre_bind};
AT_WORK_LIBRARY("BindsInItsOwnTime", "preBind", BERTH_POINT_PRE_BIND, table)
