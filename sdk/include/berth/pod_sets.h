/* berth/pod_sets.h (since 1.1) - the number of pods per row that match. The host updates such counts with every
 * change, once for all instances, so that the cost of a call does not grow with the pods of the cluster. */
#ifndef BERTH_POD_SETS_H
#define BERTH_POD_SETS_H
#include "berth/matching.h"
#ifdef __cplusplus
extern "C" {
#endif
#define BERTH_POD_MATCH_EVERY_NAMESPACE 1u /* namespaces is ignored */
typedef struct berth_pod_match {
  uint32_t flags, rsv;
  const berth_selector *selector; /* a pod's, or one the matching service keeps. NULL: any labels */
  berth_list labels;              /* berth_kv: these pairs as well */
  berth_list namespaces;          /* berth_id: one of these; the order does not matter. None: no pod */
} berth_pod_match;
#define BERTH_POD_SET_NOT_DELETED 1u /* without pods that have a deletionTimestamp */
typedef struct berth_pod_set {
  uint32_t size, flags; /* BERTH_POD_SET_* */
  berth_list all_of;    /* berth_pod_match: every one must hold; none: every pod */
} berth_pod_set;
typedef struct berth_pod_counts { /* the caller sets size */
  uint32_t size, rsv;
  int64_t total;         /* over all rows */
  const int32_t *of_row; /* [cycle] pods per row, also assumed ones; NULL if total is 0. Trials and nominated pods do
                            not change it: pod_change reports them. */
} berth_pod_counts;
#define BERTH_SERVICE_POD_SETS "berth.host.pod_sets/1"
typedef struct berth_pod_sets {
  uint32_t size, rsv;
  /* [serial] in pre_filter and pre_score. The first use of a set evaluates every combination of namespace and labels
   * once, later uses none; the host keeps the 256 sets used last, and those of the cycle. The set is copied.
   * 0 = *out is filled; otherwise the set has flags that this host does not know. */
  int32_t (*counts)(const berth_snap *snap, const berth_pod_set *set, berth_pod_counts *out);
  /* [parallel] 1 = this pod belongs to the set, on any row or none. */
  int32_t (*contains)(const berth_host *host, const berth_pod_set *set, const berth_pod *pod);
} berth_pod_sets;
#ifdef __cplusplus
}
#endif
#endif
