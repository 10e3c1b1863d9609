/* berth/draft/extenders.h - DRAFT: what the configuration's HTTP extenders think of a preemption. Only a host with
 * extenders has anything to ask; one without the service has none. */
#ifndef BERTH_DRAFT_EXTENDERS_H
#define BERTH_DRAFT_EXTENDERS_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct berth_candidate { /* a node on which pods could leave for another */
  uint32_t row, rsv;
  int64_t violations; /* how many of the pods have a disruption budget that would be overdrawn */
  berth_list pods;    /* const berth_pod *: that would have to leave, the most important first */
} berth_candidate;
#define BERTH_SERVICE_EXTENDERS "berth.host.extenders/1"
typedef struct berth_extenders {
  uint32_t size, rsv;
  /* [serial] 1 = some extender has a preempt verb and is interested in the pod. */
  int32_t (*preempts)(const berth_host *host, const berth_pod *pod);
  /* [serial] in post_filter; waits for their replies. Asks those extenders one after the other about candidates
   * (berth_candidate, each row once); each sees what the one before it left. SUCCESS: *left is what remains, each with
   * at least one pod; the pods are pods of the row and may be others than before. ERROR: *why says which extender
   * failed, and there must be no preemption. Both live until the next call or the end of post_filter. */
  berth_status (*preempt)(const berth_host *host, const berth_pod *pod, berth_list candidates, berth_list *left,
                          berth_str *why);
} berth_extenders;
#ifdef __cplusplus
}
#endif
#endif
