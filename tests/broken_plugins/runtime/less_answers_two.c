/* Less returns neither 0 nor 1. */
#include "at_work.h"
#include "berth/queue_sort.h"

static int32_t less(berth_plugin* p, const berth_queued* a, const berth_queued* b) {
  (void)p, (void)a, (void)b;
  return 2;
}
static const berth_queue_sort table = {sizeof(berth_queue_sort), 0, less};
AT_WORK_LIBRARY("LessAnswersTwo", "queueSort", BERTH_POINT_QUEUE_SORT, table)
