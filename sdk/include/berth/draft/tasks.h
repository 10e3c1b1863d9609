/* berth/draft/tasks.h - DRAFT: work outside of a call: on the scheduling thread between two cycles, or after a time. */
#ifndef BERTH_DRAFT_TASKS_H
#define BERTH_DRAFT_TASKS_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_TASKS "berth.host.tasks/1"
typedef struct berth_tasks {
  uint32_t size, rsv;
  /* [any] fn(arg, 1) will be called exactly once, [serial], between two cycles, at the earliest delay_ns (>= 0) from now
   * by the host's clock (virtual in a simulation); equal times keep the order of the posts. It must be quick (50 us).
   * When the instance ends or is quarantined first, fn(arg, 0) is called instead, on any thread, after deactivate and
   * before destroy, or at once when it has ended already: free arg, do nothing else. */
  void (*post)(const berth_host *host, int64_t delay_ns, void (*fn)(void *arg, int32_t run), void *arg);
  /* [serial] Puts a waiting pod into the active queue, past its backoff, as soon as the call now running is over; one
   * that is being tried is tried again soon. 0 = there is no such pod, or it is on its way to a node. */
  int32_t (*activate)(const berth_host *host, berth_str pod_uid);
  int64_t (*wall_unix_ns)(const berth_host *host); /* [any] the host's wall clock */
} berth_tasks;
#ifdef __cplusplus
}
#endif
#endif
