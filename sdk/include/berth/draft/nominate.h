/* berth/draft/nominate.h - DRAFT: nominated pods, and giving up pods that are on their way to a node. */
#ifndef BERTH_DRAFT_NOMINATE_H
#define BERTH_DRAFT_NOMINATE_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_NOMINATE "berth.host.nominate/1"
typedef struct berth_nominations {
  uint32_t size, rsv;
  /* [serial] const berth_pod *: pods nominated to run on the node, as the queue knows them: of one that is being tried
   * at the moment only namespace, name and uid. Lives until the call now running returns. */
  berth_list (*of_node)(const berth_host *host, berth_id node);
  /* [serial] Takes the nomination from a pod that waits: in the queue at once, in its status by a write. */
  void (*clear)(const berth_host *host, const berth_pod *pod);
  /* [any] A pod that waits in permit, or whose pre_bind has not ended, is given up and goes back to the queue: its
   * attempt fails with "waiting on permit for pod: REASON" or with "REASON by PLUGIN", the plugin being the caller.
   * 1 = taken; 0 = it is not on its way, or too far on it. A pre_bind that is running sees cycle->cancelled(); one that
   * answered LATER is not waited for: unreserve comes, and done() must still be called. */
  int32_t (*give_up)(const berth_host *host, berth_str pod_uid, berth_str reason);
} berth_nominations;
#ifdef __cplusplus
}
#endif
#endif
