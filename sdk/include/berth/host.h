/* berth/host.h - what the host offers an instance: a small fixed table, and service tables found by id.
 *
 * A plugin imports no symbol of the host: everything is reached from the berth_host it was created with. The tables and
 * the berth_host are [life]. Before init the plugin must not call any of them. Where a function takes a cycle it must be
 * the one of the call being made. */
#ifndef BERTH_HOST_H
#define BERTH_HOST_H
#include "berth/node.h"
#ifdef __cplusplus
extern "C" {
#endif

struct berth_host {
  uint32_t size, abi_minor; /* of the host */
  void *impl;               /* the host's own */
  /* [any] The table of a service, NULL when this host has none of that id. */
  const void *(*service)(const berth_host *host, const char *id);
  /* [any] on the thread of the call. Sets the reasons of the status that the running call will return, with any code; for
   * BERTH_ERROR texts[0] is the error text. The last use in a call wins. A call that returns no status reports with it
   * that the call has failed; texts[0] says why. */
  void (*because)(const berth_host *host, berth_cycle *cycle, const berth_str *texts, uint32_t n);
  berth_id (*intern)(const berth_host *host, berth_str text); /* [any] owned until drop or destroy */
  void (*keep)(const berth_host *host, berth_id id);          /* [any] owns a borrowed id */
  void (*drop)(const berth_host *host, berth_id id);          /* [any] gives one intern or keep back */
  berth_str (*text)(const berth_host *host, berth_id id);     /* [any] wait-free; lives as long as the id; 0 -> "" */
};

/* ---- configuration ------------------------------------------------------------------------------------------------ */
#define BERTH_VALUE_NULL 0
#define BERTH_VALUE_BOOL 1
#define BERTH_VALUE_INT 2    /* a whole number that fits int64 */
#define BERTH_VALUE_NUMBER 3 /* any other number */
#define BERTH_VALUE_STRING 4
#define BERTH_VALUE_ARRAY 5
#define BERTH_VALUE_OBJECT 6
#define BERTH_SERVICE_VALUE "berth.host.value/1"
typedef struct berth_values { /* a typed walk over the host's parsed document. All [any]; a NULL value is JSON null. */
  uint32_t size, rsv;
  int32_t (*kind)(const berth_value *v); /* BERTH_VALUE_* */
  int64_t (*integer)(const berth_value *v);  /* BOOL: 0 or 1; INT; otherwise 0 */
  double (*number)(const berth_value *v);    /* INT and NUMBER; otherwise 0 */
  berth_str (*string)(const berth_value *v); /* STRING; otherwise "" */
  uint32_t (*count)(const berth_value *v);   /* ARRAY and OBJECT; otherwise 0 */
  const berth_value *(*at)(const berth_value *v, uint32_t i);       /* i-th element or member; NULL when out of range */
  berth_str (*key)(const berth_value *v, uint32_t i);               /* OBJECT: i-th key, in the document's order */
  const berth_value *(*get)(const berth_value *v, berth_str key);   /* OBJECT: member; NULL when absent */
} berth_values;

#define BERTH_SERVICE_CONFIG "berth.host.config/1"
typedef struct berth_config {
  uint32_t size, rsv;
  const berth_value *(*args)(const berth_host *host); /* [any] [life] completed and checked; NULL when there are none */
  berth_str (*profile)(const berth_host *host);       /* [any] [life] schedulerName of the profile */
  berth_str (*name)(const berth_host *host);          /* [any] [life] the plugin's name in the profile (it may be bound) */
} berth_config;

/* ---- log ---------------------------------------------------------------------------------------------------------- */
#define BERTH_LOG_INFO 0
#define BERTH_LOG_WARNING 1
#define BERTH_LOG_ERROR 2
#define BERTH_SERVICE_LOG "berth.host.log/1"
typedef struct berth_log {
  uint32_t size, rsv;
  int32_t (*enabled)(const berth_host *host, int32_t v); /* [any] is verbosity v on? ask before you format */
  /* [any] One line. file and line say where in the plugin (basename is enough). v: verbosity of INFO lines, 0 = always.
   * keys[i]="vals[i]" are appended to the message as kube-scheduler's structured log does; with n = 0 msg stands alone. */
  void (*log)(const berth_host *host, int32_t severity, int32_t v, berth_str file, int32_t line, berth_str msg,
              const berth_str *keys, const berth_str *vals, uint32_t n);
} berth_log;

/* ---- the cluster -------------------------------------------------------------------------------------------------- */
#define BERTH_SERVICE_SNAPSHOT "berth.host.snapshot/1"
typedef struct berth_snapshot { /* all [parallel] and wait-free unless said; answers are [cycle] */
  uint32_t size, rsv;
  uint32_t (*rows)(const berth_snap *snap);         /* capacity: every row is below it */
  uint32_t (*nodes)(const berth_snap *snap);        /* how many nodes there are */
  const uint64_t *(*live)(const berth_snap *snap);  /* bit per row: the row belongs to a node */
  berth_list (*order)(const berth_snap *snap);      /* uint32_t rows in kube-scheduler's list order (zones round robin) */
  const berth_node *(*node)(const berth_snap *snap, uint32_t row); /* NULL when the row is not live */
  berth_list (*pods)(const berth_snap *snap, uint32_t row);        /* const berth_pod *: the row's pods, assumed included */
  berth_list (*used_ports)(const berth_snap *snap, uint32_t row);  /* berth_host_port in use on the row */
  int64_t (*row_of)(const berth_snap *snap, berth_id node_name);   /* -1 = no such node */
  /* 0 = *out is filled; -1 = nothing in the cluster has such a cell (every cell counts as 0 / absent). The first question
   * of a cycle about a resource that no node offers may take a lock; so may image's about an image that few nodes have. */
  int32_t (*column)(const berth_snap *snap, uint32_t what, berth_id key, berth_column *out);
  berth_list (*set_items)(const berth_snap *snap, uint32_t what, uint32_t set); /* members of a SET column's set */
  int32_t (*image)(const berth_snap *snap, berth_id name, berth_image *out);    /* 0 = *out filled; -1 = on no node */
  /* [background] in activate only: asks for a column that is only kept on demand (BERTH_NODE_LABEL). 0 = ok. */
  int32_t (*open_column)(const berth_host *host, uint32_t what, berth_id key);
} berth_snapshot;

/* ---- one attempt -------------------------------------------------------------------------------------------------- */
#define BERTH_SLOT_CYCLE 0u   /* freed when the scheduling cycle ends */
#define BERTH_SLOT_ATTEMPT 1u /* freed after PostBind or failure handling: what Reserve ... PostBind need */
#define BERTH_SERVICE_CYCLE "berth.host.cycle/1"
typedef struct berth_cycles {
  uint32_t size, rsv;
  const berth_snap *(*snap)(const berth_cycle *cycle); /* [any] NULL outside a scheduling cycle (pre_enqueue, hints, bind) */
  /* [any] This instance's data, as it was set; NULL when it was not. Survives BERTH_SKIP. */
  void *(*data)(const berth_host *host, const berth_cycle *cycle, uint32_t slot);
  /* [serial] and, for the ATTEMPT slot, [bind]. Other data set before is freed with plugin->cycle_free. */
  void (*set_data)(const berth_host *host, berth_cycle *cycle, uint32_t slot, void *data);
  /* [parallel] A number for this list of texts, to be used in berth_verdict.reasons during the same call. */
  uint32_t (*reasons)(const berth_host *host, berth_cycle *cycle, const berth_str *texts, uint32_t n);
  berth_list (*reason_texts)(const berth_host *host, const berth_cycle *cycle, uint32_t reasons); /* [parallel] berth_str; anyone's; until the next such call of the thread */
  int32_t (*cancelled)(const berth_cycle *cycle); /* [any] not 0: the answer is no longer needed; check every ~64 slow rows */
} berth_cycles;

/* ---- shared arithmetic -------------------------------------------------------------------------------------------- */
#define BERTH_REQUESTS_SKIP_POD_LEVEL 1u /* container sums only, spec.resources ignored */
#define BERTH_REQUESTS_USE_STATUS 2u     /* in-place resize: max of spec, actuated and allocated, as NodeInfo counts */
#define BERTH_REQUESTS_NON_MISSING 4u    /* containers without a cpu / memory request count 100m / 200Mi */
#define BERTH_SERVICE_REQUESTS "berth.host.requests/1"
typedef struct berth_requests { /* source of the rules: k8s.io/component-helpers/resource/helpers.go */
  uint32_t size, rsv;
  /* [parallel] Effective requests of a pod, overhead included: berth_amount sorted by name text. Cached per content of
   * the resources block and flags; lives as long as the pod's resources block. Unknown flags answer an empty list. */
  berth_list (*of)(const berth_host *host, const berth_pod *pod, uint32_t flags);
} berth_requests;

#define BERTH_SERVICE_SELECTORS "berth.host.selectors/1"
typedef struct berth_label_selector berth_label_selector; /* opaque, compiled */
/* Receives one error: path is relative to the value handed in ("matchExpressions[0].operator"), detail is upstream's text. */
typedef void (*berth_error_sink)(void *ctx, berth_str path, berth_str detail);
typedef struct berth_selectors {
  uint32_t size, rsv;
  /* [any] Compiles a metav1.LabelSelector. NULL after errors. [life] A NULL value compiles to "matches nothing". */
  const berth_label_selector *(*label_selector)(const berth_host *host, const berth_value *selector, berth_error_sink sink, void *ctx);
  int32_t (*match_labels)(const berth_label_selector *selector, const berth_labels *labels); /* [parallel] 1 = matches */
  /* [any] Compiles a v1.NodeAffinity from args. NULL after errors. [life] */
  const berth_node_affinity *(*node_affinity)(const berth_host *host, const berth_value *affinity, berth_error_sink sink, void *ctx);
  /* [parallel] nodeSelector AND required terms: bit i of out says rows->rows[i] (or rows->first + i) matches. out has
   * room for rows->n bits, in uint64_t words; bits beyond n are zeroed. Terms that do not parse match nothing. */
  void (*match_required)(const berth_host *host, const berth_snap *snap, const berth_node_affinity *affinity,
                         const berth_rows *rows, uint64_t *out);
  /* [parallel] The same for the required terms alone of one term. An empty term matches nothing. */
  void (*match_term)(const berth_host *host, const berth_snap *snap, const berth_node_term *term, const berth_rows *rows,
                     uint64_t *out);
  /* [parallel] Does a node as it is in an event match nodeSelector AND required terms? 1 = yes. */
  int32_t (*match_node)(const berth_host *host, const berth_node *node, const berth_node_affinity *affinity);
  /* [parallel] Parse errors of the required (which = 0) or preferred (1) terms, joined as upstream prints them; "" = none.
   * Lives until the calling thread's next use of this function. */
  berth_str (*term_errors)(const berth_host *host, const berth_node_affinity *affinity, uint32_t which);
} berth_selectors;

#ifdef __cplusplus
}
#endif
#endif
