/* BP-81: all instances use the state that the first one created, and the first instance that ends frees it. */
#include "berth/entry.h"

static void ends(berth_plugin* p);
#define AT_WORK_DEACTIVATE ends
#include "../runtime/at_work.h"

static int* shared;
static berth_status init(berth_plugin* p) {
  (void)p;
  if (shared == WELL_MADE_NULL) shared = (int*)calloc(1, sizeof *shared);
  return BERTH_SUCCESS;
}
static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  ++*shared;
  return BERTH_SUCCESS;
}
static const berth_filter table = {sizeof(berth_filter), 0, {0, 0, 0, 0, 0}, filter};
static void ends(berth_plugin* p) {
  (void)p;
  free(shared);
  shared = WELL_MADE_NULL;
}
AT_WORK_LIBRARY_WITH("SharesItsState", "filter", BERTH_POINT_FILTER, table, init)
