/* berth/nominate.h (since 1.2) - nominated pods, and canceling attempts whose pod is not bound yet. */
#ifndef BERTH_NOMINATE_H
#define BERTH_NOMINATE_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_SERVICE_NOMINATE "berth.host.nominate/1"
typedef struct berth_nominations {
  uint32_t size, rsv;
  /* [serial] const berth_pod *: the pods nominated to the node, as in the queue: a pod whose attempt is running has only its
   * namespace, name, and uid. Lives until the running call returns. */
  berth_list (*of_node)(const berth_host *host, berth_id node);
  /* [serial] Removes the nomination of a waiting pod: in the queue at once, in its status by a write. */
  void (*clear)(const berth_host *host, const berth_pod *pod);
  /* [any] Cancels the attempt of a pod that waits in permit, or whose pre_bind has not ended; the pod returns to the queue.
   * The attempt fails with "waiting on permit for pod: REASON" or with "REASON by PLUGIN", where PLUGIN is the caller.
   * 1 = canceled; 0 = there is no such attempt, or it is too late. A pre_bind that is running sees cycle->cancelled(). The
   * host does not wait for a pre_bind that returned LATER: it calls unreserve, and the plugin must still call done(). */
  int32_t (*give_up)(const berth_host *host, berth_str pod_uid, berth_str reason);
  /* [serial] berth_id: the nodes with nominated pods, each once, in no order. There may be no such node: pods stay nominated
   * to nodes that have left, and to "". Lives until the running call returns. */
  berth_list (*nodes)(const berth_host *host);
} berth_nominations;
#ifdef __cplusplus
}
#endif
#endif
