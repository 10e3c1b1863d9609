/* Ends an operation twice. */
#include "at_work.h"

static berth_status bind(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node, berth_op* op) {
  (void)p, (void)c, (void)pod, (void)node;
  op->done(op, BERTH_ERROR, WELL_MADE_NULL, 0);
  op->done(op, BERTH_SUCCESS, WELL_MADE_NULL, 0);
  return BERTH_LATER;
}
static const berth_bind table = {sizeof(berth_bind), 0, bind};
AT_WORK_LIBRARY("BindDoneTwice", "bind", BERTH_POINT_BIND, table)
