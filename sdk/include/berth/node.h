/* berth/node.h - a node as plugins see it, one row of the snapshot, and the columns over all rows.
 *
 * A column holds one cell per row, in a 64-byte aligned array that stays valid for the cycle. While nominated pods are
 * tried on a row, the host changes that row's cells in place and puts them back: pointers stay right, and such a call may
 * read only the rows it was given. */
#ifndef BERTH_NODE_H
#define BERTH_NODE_H
#include "berth/pod.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct berth_taint {
  berth_id key, value, effect; /* BERTH_ID_EMPTY where the object has none */
} berth_taint;

typedef struct berth_node {
  uint32_t size;
  uint32_t unschedulable; /* spec.unschedulable, 0 or 1 */
  berth_id name;
  uint32_t rsv;
  const berth_labels *labels;
  berth_list taints;      /* berth_taint, in the node's order */
  berth_list allocatable; /* berth_amount: status.allocatable, sorted by name text */
  berth_list declared_features; /* berth_id: status.declaredFeatures, in the node's order */
} berth_node;

#define BERTH_COLUMN_I64 1u
#define BERTH_COLUMN_F64 2u /* the same numbers as doubles; see BERTH_COLUMN_EXACT */
#define BERTH_COLUMN_U8 3u
#define BERTH_COLUMN_ID 4u  /* berth_id; BERTH_ID_ABSENT where the row has none */
#define BERTH_COLUMN_SET 5u /* number of a hash-consed set: equal numbers <=> equal sets; 0 = the empty set */
#define BERTH_COLUMN_EXACT 1u /* flags: every cell is below 2^53 in magnitude, so the F64 mirror is exact */
typedef struct berth_column { /* the caller sets size; the host writes no more than that */
  uint32_t size, type;
  uint32_t rows, flags;
  const void *cells;
} berth_column;

/* what                                 key            type */
#define BERTH_NODE_NAME 1u           /* -              ID */
#define BERTH_NODE_UNSCHEDULABLE 2u  /* -              U8 */
#define BERTH_NODE_GENERATION 3u     /* -              I64; globally increasing, changes with anything about the row */
#define BERTH_NODE_ALLOCATABLE 4u    /* resource       I64 */
#define BERTH_NODE_ALLOCATABLE_F64 5u
#define BERTH_NODE_REQUESTED 6u      /* resource       I64; sum over the pods of the row, assumed ones included */
#define BERTH_NODE_REQUESTED_F64 7u
#define BERTH_NODE_NONZERO_REQUESTED 8u /* cpu, memory I64; containers without a request count 100m / 200Mi */
#define BERTH_NODE_NONZERO_REQUESTED_F64 9u
#define BERTH_NODE_POD_COUNT 10u     /* -              I64 */
#define BERTH_NODE_TAINTS 11u        /* -              SET of berth_taint, in the node's order */
#define BERTH_NODE_LABEL 12u         /* label key      ID of the value; only keys opened with open_column */

/* Which parts of a row a result depends on; see berth_reuse in plugin.h. */
#define BERTH_ROW_ALLOCATABLE (1ull << 0)
#define BERTH_ROW_REQUESTED (1ull << 1) /* REQUESTED, NONZERO_REQUESTED, POD_COUNT */
#define BERTH_ROW_PODS (1ull << 2)      /* the pods of the row themselves */
#define BERTH_ROW_LABELS (1ull << 3)
#define BERTH_ROW_TAINTS (1ull << 4)    /* taints and UNSCHEDULABLE */
#define BERTH_ROW_IMAGES (1ull << 5)
#define BERTH_ROW_PORTS (1ull << 6)     /* host ports in use */
#define BERTH_ROW_FEATURES (1ull << 7)  /* declared features */
/* ... and which parts of the cluster as a whole. */
#define BERTH_CLUSTER_NODES (1ull << 0)  /* which nodes there are, and how many */
#define BERTH_CLUSTER_IMAGES (1ull << 1) /* which images are on how many nodes */

typedef struct berth_image { /* one image name over all nodes; the caller sets size */
  uint32_t size;
  uint32_t n_nodes;         /* nodes that report the name */
  int64_t bytes;            /* as the first node that reported the name said */
  const uint64_t *nodes;    /* [cycle] bit per row */
} berth_image;

#ifdef __cplusplus
}
#endif
#endif
