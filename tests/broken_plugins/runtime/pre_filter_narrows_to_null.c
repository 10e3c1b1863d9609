/* Reports that it narrows the nodes to three names, but has no list of names. */
#include "at_work.h"

static berth_status pre_filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_names* out) {
  (void)p, (void)c, (void)pod;
  out->narrowed = 1;
  out->names = WELL_MADE_NULL;
  out->n = 3;
  return BERTH_SUCCESS;
}
static const berth_pre_filter table = {sizeof(berth_pre_filter), 0, pre_filter};
AT_WORK_LIBRARY("PreFilterNarrowsToNull", "preFilter", BERTH_POINT_PRE_FILTER, table)
