/* Uses up the stack of its thread. Only another process can survive that. */
#include "at_work.h"

static volatile int deeper = 1;
static int overflow(int depth) {
  volatile char page[4096];
  page[0] = (char)depth;
  return deeper ? overflow(depth + 1) + page[0] : 0;
}
static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return overflow(0) == 0 ? BERTH_SUCCESS : BERTH_ERROR;
}
AT_WORK_FILTER("FilterOverflows", filter)
