/* berth/queue_sort.h (since 1.1) - the point QueueSort: the order of the active queue. */
#ifndef BERTH_QUEUE_SORT_H
#define BERTH_QUEUE_SORT_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct berth_queued {
  uint32_t size, attempts;
  const berth_pod *pod;
  int64_t queued_unix_ns;          /* when the pod last entered the queue */
  int64_t initial_attempt_unix_ns; /* when the pod first became active; BERTH_NO_TIME before */
} berth_queued;
#define BERTH_POINT_QUEUE_SORT "berth.plugin.queue_sort/1"
typedef struct berth_queue_sort {
  uint32_t size, rsv;
  /* [serial] 1 = a before b, 0 = not. Another result, or an answer after the host's deadline, is a fault: then the pod with
   * the higher priority goes first, or else the older one. If the order is not strict, the host does not crash, but the
   * order of the queue is unspecified. */
  int32_t (*less)(berth_plugin *p, const berth_queued *a, const berth_queued *b);
} berth_queue_sort;
#ifdef __cplusplus
}
#endif
#endif
