/* berth/draft/pod_change.h - DRAFT: judging a row as if pods had come or gone (nominated pods, preemption trials).
 * For plugins whose filter reads its own cycle data or its own counts of pods; the host's columns are changed for you. */
#ifndef BERTH_DRAFT_POD_CHANGE_H
#define BERTH_DRAFT_POD_CHANGE_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_POINT_POD_CHANGE "berth.plugin.pod_change/1"
typedef struct berth_pod_change {
  uint32_t size, rsv;
  /* [parallel] c holds a clone of the cycle data; only this clone may change. NULL members are skipped. */
  berth_status (*add_pod)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_pod *added, uint32_t row);
  berth_status (*remove_pod)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_pod *removed, uint32_t row);
} berth_pod_change;
#ifdef __cplusplus
}
#endif
#endif
