/* berth/post_filter.h (since 1.1) - the point PostFilter: what to do for a pod that fits on no node. */
#ifndef BERTH_POST_FILTER_H
#define BERTH_POST_FILTER_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_NOMINATE_NOOP 0u     /* leave the pod's nominated node as it is */
#define BERTH_NOMINATE_OVERRIDE 1u /* set it to `node`; BERTH_ID_ABSENT clears it */
typedef struct berth_post_result {
  uint32_t size, mode; /* BERTH_NOMINATE_* */
  berth_id node;
  uint32_t rsv;
} berth_post_result;
typedef struct berth_diagnosis {
  uint32_t size, rsv;
  const berth_verdict *verdicts; /* [call] one per row; SUCCESS on rows that were not examined */
  berth_verdict absent;          /* of live rows that were not examined */
} berth_diagnosis;
#define BERTH_POINT_POST_FILTER "berth.plugin.post_filter/1"
typedef struct berth_post_filter {
  uint32_t size, rsv;
  /* [serial] SUCCESS or UNRESOLVABLE end the point; after UNSCHEDULABLE the host calls the next plugin. *out is NOOP before
   * the call. */
  berth_status (*post_filter)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_diagnosis *diagnosis,
                              berth_post_result *out);
} berth_post_filter;
#ifdef __cplusplus
}
#endif
#endif
