/* berth/tasks.h (since 1.1) - work outside of a call: on the scheduling thread between two cycles, at once or after a delay. */
#ifndef BERTH_TASKS_H
#define BERTH_TASKS_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_TASKS "berth.host.tasks/1"
typedef struct berth_tasks {
  uint32_t size, rsv;
  /* [any] The host calls fn(arg, 1) exactly once, [serial], between two cycles, at the earliest delay_ns (>= 0) from now by
   * its clock (virtual in a simulation); equal times keep the order of the posts. fn must return within 50 us. If the
   * instance ends or is quarantined first, the host calls fn(arg, 0) instead, on any thread, after deactivate and before
   * destroy, or at once if the instance has ended already: free arg and do nothing else. */
  void (*post)(const berth_host *host, int64_t delay_ns, void (*fn)(void *arg, int32_t run), void *arg);
  /* [serial] Moves a waiting pod to the active queue, without the rest of its backoff, when the running call returns. A pod
   * whose attempt is running is tried again soon. 0 = there is no such pod, or its binding is under way. */
  int32_t (*activate)(const berth_host *host, berth_str pod_uid);
  int64_t (*wall_unix_ns)(const berth_host *host); /* [any] the host's wall clock */
} berth_tasks;
#ifdef __cplusplus
}
#endif
#endif
