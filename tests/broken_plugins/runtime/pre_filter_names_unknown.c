/* Narrows the nodes to a name whose number does not exist in the host. */
#include "at_work.h"

static const berth_id names[] = {0x7fffffff};
static berth_status pre_filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_names* out) {
  (void)p, (void)c, (void)pod;
  out->narrowed = 1;
  out->names = names;
  out->n = 1;
  return BERTH_SUCCESS;
}
static const berth_pre_filter table = {sizeof(berth_pre_filter), 0, pre_filter};
AT_WORK_LIBRARY("PreFilterNamesUnknown", "preFilter", BERTH_POINT_PRE_FILTER, table)
