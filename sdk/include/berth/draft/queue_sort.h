/* berth/draft/queue_sort.h - DRAFT: the order of the active queue. Its id stays when it becomes stable. */
#ifndef BERTH_DRAFT_QUEUE_SORT_H
#define BERTH_DRAFT_QUEUE_SORT_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct berth_queued {
  uint32_t size, attempts;
  const berth_pod *pod;
  int64_t queued_unix_ns;          /* when it was last put into the queue */
  int64_t initial_attempt_unix_ns; /* when it first became active; BERTH_NO_TIME before that */
} berth_queued;
#define BERTH_POINT_QUEUE_SORT "berth.plugin.queue_sort/1"
typedef struct berth_queue_sort {
  uint32_t size, rsv;
  /* [serial] 1 = a before b, 0 = not; anything else is a fault, and so is an answer that comes later than the host's
   * deadline. Of the two pods of a call that failed the one of higher priority goes first, or else the older one. The
   * heap bears an order that is not strict, but the result is then unspecified. */
  int32_t (*less)(berth_plugin *p, const berth_queued *a, const berth_queued *b);
} berth_queue_sort;
#ifdef __cplusplus
}
#endif
#endif
