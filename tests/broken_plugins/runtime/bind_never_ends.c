/* Returns LATER and never ends the operation. */
#include "at_work.h"

static berth_status bind(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node, berth_op* op) {
  (void)p, (void)c, (void)pod, (void)node, (void)op;
  return BERTH_LATER;
}
static const berth_bind table = {sizeof(berth_bind), 0, bind};
AT_WORK_LIBRARY("BindNeverEnds", "bind", BERTH_POINT_BIND, table)
