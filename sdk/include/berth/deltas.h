/* berth/deltas.h (since 1.1) - changes of nodes and pods, for plugins that keep counts of their own.
 *
 * Deltas arrive between cycles, in the order of the changes; none arrives from the first pre_filter of a cycle to the end
 * of its permit. After activate the host sends the current state as ADDs. */
#ifndef BERTH_DELTAS_H
#define BERTH_DELTAS_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_DELTA_NODE_ADD 1u
#define BERTH_DELTA_NODE_CHANGE 2u
#define BERTH_DELTA_NODE_REMOVE 3u
#define BERTH_DELTA_POD_ADD 4u    /* a pod was added to the row, also an assumed pod */
#define BERTH_DELTA_POD_REMOVE 5u /* pod is the same view that was added */
typedef struct berth_delta {
  uint32_t kind; /* BERTH_DELTA_* */
  uint32_t row;
  const berth_node *node; /* node kinds; REMOVE: as it was */
  const berth_pod *pod;   /* pod kinds */
} berth_delta;
#define BERTH_DELTA_NODES 1u /* mask: NODE_* */
#define BERTH_DELTA_PODS 2u  /* mask: POD_* */
#define BERTH_POINT_DELTAS "berth.plugin.deltas/1"
typedef struct berth_deltas {
  uint32_t size, mask; /* BERTH_DELTA_NODES | BERTH_DELTA_PODS: which kinds the plugin gets */
  void (*deltas)(berth_plugin *p, berth_list deltas); /* [serial] berth_delta */
  /* [serial] Writes the plugin's counts as text. Equal counts give equal text, independent of the changes that led to them.
   * The host's consistency checker compares it with the text of a new instance that got the current state. May be NULL. */
  void (*dump)(berth_plugin *p, void (*sink)(void *ctx, berth_str text), void *ctx);
} berth_deltas;
#ifdef __cplusplus
}
#endif
#endif
