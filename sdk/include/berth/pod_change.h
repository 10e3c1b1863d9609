/* berth/pod_change.h (since 1.1) - filtering a row as if pods were added or removed (nominated pods, preemption trials).
 * For plugins whose filter reads its own cycle data or its own counts of pods; the host changes its columns itself. */
#ifndef BERTH_POD_CHANGE_H
#define BERTH_POD_CHANGE_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_POINT_POD_CHANGE "berth.plugin.pod_change/1"
typedef struct berth_pod_change {
  uint32_t size, rsv;
  /* [parallel] c has a clone of the cycle data; change only this clone. The host skips NULL members. */
  berth_status (*add_pod)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_pod *added, uint32_t row);
  berth_status (*remove_pod)(berth_plugin *p, berth_cycle *c, const berth_pod *pod, const berth_pod *removed, uint32_t row);
} berth_pod_change;
#ifdef __cplusplus
}
#endif
#endif
