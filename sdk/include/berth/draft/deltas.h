/* berth/draft/deltas.h - DRAFT: a feed of what changed on the rows, for plugins that keep counts of their own.
 *
 * Deltas arrive between cycles, in the order the changes were made; none is delivered from the first pre_filter of a cycle
 * to the end of its permit. After activate the host sends the whole present state as ADDs. */
#ifndef BERTH_DRAFT_DELTAS_H
#define BERTH_DRAFT_DELTAS_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_DELTA_NODE_ADD 1u
#define BERTH_DELTA_NODE_CHANGE 2u
#define BERTH_DELTA_NODE_REMOVE 3u
#define BERTH_DELTA_POD_ADD 4u    /* a pod came to the row, assumed ones included */
#define BERTH_DELTA_POD_REMOVE 5u /* pod is the very view that was added */
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
  uint32_t size, mask; /* BERTH_DELTA_NODES | BERTH_DELTA_PODS: which kinds are wanted */
  void (*deltas)(berth_plugin *p, berth_list deltas); /* [serial] berth_delta */
  /* [serial] Writes the counts kept, as text that is equal for equal counts whatever way they came about. The host's
   * consistency checker compares it with that of a fresh instance fed the present state. May be NULL. */
  void (*dump)(berth_plugin *p, void (*sink)(void *ctx, berth_str text), void *ctx);
} berth_deltas;
#ifdef __cplusplus
}
#endif
#endif
