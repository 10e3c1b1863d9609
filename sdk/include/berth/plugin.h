/* berth/plugin.h - what a plugin instance offers: one fixed struct, and one table per extension point, found by id.
 *
 * The host asks extension() once per id after init and keeps what it gets: tables are [life]. The points an instance
 * offers must be the ones its library's note names. More points, since 1.1: binding.h, deltas.h, handover.h, objects.h,
 * pod_change.h, post_filter.h, queue_sort.h. Those in berth/draft/ may still change. */
#ifndef BERTH_PLUGIN_H
#define BERTH_PLUGIN_H
#include "berth/host.h"
#ifdef __cplusplus
extern "C" {
#endif

struct berth_plugin {
  uint32_t size, rsv;
  void *impl;                               /* the plugin's own */
  berth_status (*init)(berth_plugin *p);     /* [background] reads args, interns; no effect outside the instance yet */
  berth_status (*activate)(berth_plugin *p); /* [background] opens columns; the next call may be any point, or destroy
                                                after ERROR (without deactivate) */
  void (*deactivate)(berth_plugin *p);       /* [background] see LIFECYCLE; may block */
  void (*destroy)(berth_plugin *p);          /* [background] frees the instance; also after a failed init */
  const void *(*extension)(berth_plugin *p, const char *id); /* [background] after init; NULL = not offered */
  /* Cycle data. cycle_clone: a copy of CYCLE data for a trial (a pass with nominated pods); ATTEMPT data is shared. NULL
   * as the answer: it failed, and the trial ends as ERROR. NULL member: the data is immutable and shared.
   * cycle_free: exactly once per data that was set and per clone; NULL member: nothing to free. The call does not say
   * which slot the data is from: if it matters, record it in the data. */
  void *(*cycle_clone)(berth_plugin *p, const void *data); /* [parallel] */
  void (*cycle_free)(berth_plugin *p, void *data);         /* [any] */
};

/* What a result is a function of. With BERTH_REUSE the host keeps per-row results for pods whose named parts are equal
 * and asks again only for rows whose named parts changed; it never does without. Say too much rather than too little. */
#define BERTH_REUSE 1u /* the result depends on the named parts only: no state, clock, random number, cycle data or log */
#define BERTH_TOTAL 2u /* defined for every live row, also for rows that an earlier plugin rejected; berth_rows.rows may be NULL */
typedef struct berth_reuse {
  uint32_t flags, rsv;       /* BERTH_REUSE, BERTH_TOTAL */
  uint64_t pod_aspects;      /* BERTH_POD_* */
  uint64_t row_aspects;      /* BERTH_ROW_* */
  uint64_t cluster_aspects;  /* BERTH_CLUSTER_* */
} berth_reuse;

#define BERTH_POINT_PRE_ENQUEUE "berth.plugin.pre_enqueue/1"
typedef struct berth_pre_enqueue {
  uint32_t size, rsv;
  /* [serial] UNSCHEDULABLE, UNRESOLVABLE, PENDING and ERROR keep the pod out of the active queue. snap() is NULL. */
  berth_status (*pre_enqueue)(berth_plugin *p, berth_cycle *c, const berth_pod *pod);
} berth_pre_enqueue;

/* Node names that a pod is narrowed to. names lives until the instance's next pre_filter; it is not NULL when n > 0. */
typedef struct berth_names {
  uint32_t size;
  int32_t narrowed; /* 0 = every node; 1 = only names; a name may belong to no node */
  const berth_id *names;
  uint32_t n, rsv;
} berth_names;
#define BERTH_POINT_PRE_FILTER "berth.plugin.pre_filter/1"
typedef struct berth_pre_filter {
  uint32_t size, rsv;
  /* [serial] SUCCESS, SKIP, UNSCHEDULABLE, UNRESOLVABLE or ERROR. SKIP: this plugin's filter (and pod_change) is left out
   * of this cycle. *out arrives as "every node". */
  berth_status (*pre_filter)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, berth_names *out);
} berth_pre_filter;

#define BERTH_POINT_FILTER "berth.plugin.filter/1"
typedef struct berth_filter {
  uint32_t size, rsv;
  berth_reuse reuse;
  /* [parallel] out[i] is the verdict on the i-th row of rows; out is zeroed (SUCCESS) before the call. Returns SUCCESS when
   * out is filled, or ERROR. out rejects a row; the status never does. */
  berth_status (*filter)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_rows *rows, berth_verdict *out);
} berth_filter;

#define BERTH_POINT_PRE_SCORE "berth.plugin.pre_score/1"
typedef struct berth_pre_score {
  uint32_t size, rsv;
  /* [serial] rows are the feasible nodes. SUCCESS, ERROR, or SKIP: this plugin's score is left out of this cycle. */
  berth_status (*pre_score)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_rows *rows);
} berth_pre_score;

#define BERTH_NORMALIZE_NONE 0u    /* scores are 0..100 as they are */
#define BERTH_NORMALIZE_CALL 1u    /* the host calls normalize() */
#define BERTH_NORMALIZE_DEFAULT 2u /* the host scales: 100 * s / max; all zero stays zero */
#define BERTH_NORMALIZE_REVERSE 3u /* as DEFAULT, then 100 - s; all zero becomes 100 */
#define BERTH_POINT_SCORE "berth.plugin.score/1"
typedef struct berth_score {
  uint32_t size;
  uint32_t normalize_kind; /* BERTH_NORMALIZE_* */
  berth_reuse reuse;       /* of the raw scores; normalising is never reused */
  /* [parallel] out[i] scores the i-th row. SUCCESS, ERROR, or BERTH_UNIFORM after writing out[0]. */
  berth_status (*score)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_rows *rows, int64_t *out);
  /* [serial] All feasible rows at once, io in and out; the result must lie in 0..100. SUCCESS or ERROR. NULL unless
   * BERTH_NORMALIZE_CALL. */
  berth_status (*normalize)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_rows *rows, int64_t *io);
} berth_score;

#define BERTH_POINT_BIND "berth.plugin.bind/1"
typedef struct berth_bind {
  uint32_t size, rsv;
  /* [bind] SUCCESS: bound. SKIP: the next bind plugin is asked. LATER: see berth_op. Or ERROR, UNSCHEDULABLE,
   * UNRESOLVABLE. [attempt] pod. */
  berth_status (*bind)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, berth_id node, berth_op *op);
} berth_bind;

/* ---- cluster events: after which events the queue retries a rejected pod ------------------------------------------- */
#define BERTH_ACTION_ADD (1u << 0)
#define BERTH_ACTION_DELETE (1u << 1)
#define BERTH_ACTION_UPDATE_NODE_ALLOCATABLE (1u << 2)
#define BERTH_ACTION_UPDATE_NODE_LABEL (1u << 3)
#define BERTH_ACTION_UPDATE_NODE_TAINT (1u << 4)
#define BERTH_ACTION_UPDATE_NODE_CONDITION (1u << 5)
#define BERTH_ACTION_UPDATE_NODE_ANNOTATION (1u << 6)
#define BERTH_ACTION_UPDATE_NODE_DECLARED_FEATURE (1u << 7)
#define BERTH_ACTION_UPDATE_POD_LABEL (1u << 8)
#define BERTH_ACTION_UPDATE_POD_SCALE_DOWN (1u << 9)
#define BERTH_ACTION_UPDATE_POD_TOLERATION (1u << 10)
#define BERTH_ACTION_UPDATE_POD_SCHEDULING_GATES_ELIMINATED (1u << 11)
#define BERTH_ACTION_UPDATE_POD_GENERATED_RESOURCE_CLAIM (1u << 12)
#define BERTH_ACTION_UPDATE 4294967292u /* every update bit, those to come included */
#define BERTH_ACTION_ALL 4294967295u

#define BERTH_INTEREST_HINT 1u /* ask hints(); without it every such event retries the pod */
typedef struct berth_interest {
  berth_str resource; /* "Pod", "Node", "storage.k8s.io/CSINode", ..., "*"; lives as long as the instance */
  uint32_t actions;   /* BERTH_ACTION_* */
  uint32_t flags;     /* BERTH_INTEREST_* */
} berth_interest;

typedef struct berth_event {
  uint32_t size;
  uint32_t interest; /* index into interests(): which registration this is about */
  uint32_t actions;  /* what happened: one action bit, or several update bits of a generic update */
  uint32_t rsv;
  berth_str resource; /* "Node", "AssignedPod", "UnschedulablePod", ... */
  const berth_pod *old_pod, *new_pod;    /* for pods; NULL where there is none */
  const berth_node *old_node, *new_node; /* for nodes */
  const berth_value *old_value, *new_value; /* for everything else */
} berth_event;

#define BERTH_POINT_EVENTS "berth.plugin.events/1"
typedef struct berth_events {
  uint32_t size, rsv;
  /* [serial] The host calls it once after activate; the list lives as long as the instance. A plugin without this table gets
   * every event of every resource; an empty list means that no event helps a pod that this plugin rejected. */
  berth_list (*interests)(berth_plugin *p); /* berth_interest */
  /* [serial] queue[i] arrives 0; set it to 1 when the event may make pods[i] schedulable. pods: pods this plugin
   * rejected. ERROR counts as 1 for all. cycle->snap() is NULL. NULL when no interest has BERTH_INTEREST_HINT. */
  berth_status (*hints)(berth_plugin *p, berth_cycle *c, const berth_event *event, const berth_pod *const *pods,
                        uint32_t n, uint8_t *queue);
} berth_events;

#ifdef __cplusplus
}
#endif
#endif
