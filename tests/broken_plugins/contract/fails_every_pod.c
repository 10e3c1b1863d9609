/* BP-118: every result is valid, but no pod is ever scheduled. */
#include "../runtime/at_work.h"

static berth_status pre_filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_names* out) {
  static const berth_str kWhy = {"no server answers", 17};
  (void)p, (void)pod, (void)out;
  at_work_host->because(at_work_host, c, &kWhy, 1);
  return BERTH_ERROR;
}
static const berth_pre_filter table = {sizeof(berth_pre_filter), 0, pre_filter};
AT_WORK_LIBRARY("FailsEveryPod", "preFilter", BERTH_POINT_PRE_FILTER, table)
