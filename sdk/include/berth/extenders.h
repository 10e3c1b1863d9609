/* berth/extenders.h (since 1.2) - the HTTP extenders' part in a preemption. A host whose configuration has no
 * extenders may lack the service. */
#ifndef BERTH_EXTENDERS_H
#define BERTH_EXTENDERS_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct berth_candidate { /* a node, and the pods to evict from it */
  uint32_t row, rsv;
  int64_t violations; /* number of these pods whose eviction violates a disruption budget */
  berth_list pods;    /* const berth_pod *: the pods to evict, the most important first */
} berth_candidate;
#define BERTH_SERVICE_EXTENDERS "berth.host.extenders/1"
typedef struct berth_extenders {
  uint32_t size, rsv;
  /* [serial] 1 = some extender has a preempt verb and is interested in the pod. */
  int32_t (*preempts)(const berth_host *host, const berth_pod *pod);
  /* [serial] in post_filter; waits for the replies. Sends candidates (berth_candidate, each row once) to these extenders in
   * turn; each gets what the one before it accepted. SUCCESS: *left has the remaining candidates, each with at least one
   * pod; the pods are pods of the row and may differ from those sent. ERROR: *why names the extender that failed; do not
   * preempt. Both live until the next call or the end of post_filter. */
  berth_status (*preempt)(const berth_host *host, const berth_pod *pod, berth_list candidates, berth_list *left,
                          berth_str *why);
} berth_extenders;
#ifdef __cplusplus
}
#endif
#endif
