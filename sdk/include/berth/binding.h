/* berth/binding.h (since 1.1) - the points between the choice of a node and the end of the attempt: reserve, permit,
 * pre_bind, post_bind (bind is in plugin.h); and the services for bindings and for pods that wait in permit.
 *
 * pod is [attempt] in all of them. One pod's calls never overlap; reserve and permit run in the scheduling cycle, the rest
 * in the binding cycle, where cycle->snap() is NULL. */
#ifndef BERTH_BINDING_H
#define BERTH_BINDING_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif

#define BERTH_POINT_RESERVE "berth.plugin.reserve/1"
typedef struct berth_reserve {
  uint32_t size, rsv;
  berth_status (*reserve)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, berth_id node); /* [serial] */
  /* [serial] in the scheduling cycle, [bind] later. Cannot fail; idempotent; also called if reserve was not. */
  void (*unreserve)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, berth_id node);
} berth_reserve;

#define BERTH_POINT_PERMIT "berth.plugin.permit/1"
typedef struct berth_permit {
  uint32_t size, rsv;
  /* [serial] WAIT: the pod waits for at most *wait_ns (capped at 15 minutes) until plugins allow or reject it. */
  berth_status (*permit)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, berth_id node, int64_t *wait_ns);
} berth_permit;

#define BERTH_POINT_PRE_BIND "berth.plugin.pre_bind/1"
typedef struct berth_pre_bind {
  uint32_t size, rsv;
  /* [bind] May be NULL (= SUCCESS). SKIP: pre_bind has nothing to do for this pod. Must be quick and change nothing. */
  berth_status (*pre_flight)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, berth_id node);
  /* [bind] May block its thread, or return LATER and block none. */
  berth_status (*pre_bind)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, berth_id node, berth_op *op);
} berth_pre_bind;

#define BERTH_POINT_POST_BIND "berth.plugin.post_bind/1"
typedef struct berth_post_bind {
  uint32_t size, rsv;
  void (*post_bind)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, berth_id node); /* [bind] informational */
} berth_post_bind;

#define BERTH_SERVICE_BINDER "berth.host.binder/1"
typedef struct berth_binder {
  uint32_t size, rsv;
  /* [bind] Sends the Binding of pod to node (with the pod's uid) and ends op. Returns BERTH_LATER. */
  berth_status (*bind)(const berth_host *host, const berth_pod *pod, berth_id node, berth_op *op);
} berth_binder;

#define BERTH_SERVICE_WAITING "berth.host.waiting/1"
typedef struct berth_waiting { /* pods that wait in permit, of every profile */
  uint32_t size, rsv;
  /* [any] Calls cb for each pod that waits now, without holding a lock; pod is valid during cb. */
  void (*each)(const berth_host *host, void (*cb)(void *ctx, const berth_pod *pod), void *ctx);
  int32_t (*allow)(const berth_host *host, berth_str pod_uid);                   /* [any] for this plugin; 0 = not waiting */
  int32_t (*reject)(const berth_host *host, berth_str pod_uid, berth_str reason); /* [any] 0 = not waiting */
} berth_waiting;

#ifdef __cplusplus
}
#endif
#endif
