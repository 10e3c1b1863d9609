/* berth/pod.h - a pod as plugins see it: an identity that points at shared, immutable blocks of its spec.
 *
 * Two pods of one template point at the same block objects: equal `content` <=> equal block (within one block type and
 * one process), so a plugin or the host can reuse a result for every pod whose blocks are equal. Lists keep the order of
 * the object unless said otherwise. Whatever Kubernetes spells as a string (operators, effects, protocols) is an id.
 * A pod in a call of the bind phase is an immutable, counted copy: [attempt]; elsewhere it is borrowed for the call. */
#ifndef BERTH_POD_H
#define BERTH_POD_H
#include "berth/abi.h"
#ifdef __cplusplus
extern "C" {
#endif

/* First fields of every block. */
#define BERTH_BLOCK uint32_t size, content

typedef struct berth_labels { /* metadata.labels, sorted by key text */
  BERTH_BLOCK;
  berth_list items; /* berth_kv */
} berth_labels;

typedef struct berth_images { /* what the pod runs: raw image references as written in the spec */
  BERTH_BLOCK;
  berth_list init_containers; /* berth_id, every kind of init container */
  berth_list containers;      /* berth_id */
  berth_list volumes;         /* berth_id, spec.volumes[].image.reference */
} berth_images;

#define BERTH_CONTAINER_APP 0u
#define BERTH_CONTAINER_INIT 1u
#define BERTH_CONTAINER_SIDECAR 2u /* an init container with restartPolicy Always */
typedef struct berth_container {
  berth_id name;
  uint32_t kind;       /* BERTH_CONTAINER_* */
  berth_list requests; /* berth_amount */
  berth_list limits;   /* berth_amount */
} berth_container;

#define BERTH_RESOURCES_POD_LEVEL 1u /* spec.resources is set */
typedef struct berth_resources { /* everything the request sums are made of; ask the requests service for the sums */
  BERTH_BLOCK;
  uint64_t has;              /* BERTH_RESOURCES_* */
  berth_list containers;     /* berth_container: init containers and sidecars in order, then app containers */
  berth_list pod_requests;   /* berth_amount: spec.resources.requests */
  berth_list pod_limits;     /* berth_amount */
  berth_list overhead;       /* berth_amount */
} berth_resources;

typedef struct berth_host_port {
  berth_id ip;       /* as written; BERTH_ID_EMPTY means 0.0.0.0 */
  berth_id protocol; /* as written; BERTH_ID_EMPTY means TCP */
  int32_t port;      /* > 0 */
  uint32_t rsv;
} berth_host_port;
typedef struct berth_ports { /* hostPorts of sidecars, then of app containers; other ports are left out */
  BERTH_BLOCK;
  berth_list items; /* berth_host_port */
} berth_ports;

#define BERTH_TOLERATION_SECONDS 1u
typedef struct berth_toleration {
  berth_id key, op, value, effect; /* BERTH_ID_EMPTY where the object has none */
  uint64_t has;                    /* BERTH_TOLERATION_SECONDS: seconds is set */
  int64_t seconds;
} berth_toleration;
typedef struct berth_tolerations {
  BERTH_BLOCK;
  berth_list items; /* berth_toleration */
} berth_tolerations;

typedef struct berth_node_requirement {
  berth_id key, op; /* op: In NotIn Exists DoesNotExist Gt Lt, or whatever was written */
  berth_list values; /* berth_id */
} berth_node_requirement;
typedef struct berth_node_term {
  berth_list expressions; /* berth_node_requirement over labels */
  berth_list fields;      /* berth_node_requirement over fields */
} berth_node_term;
typedef struct berth_preferred_term {
  int32_t weight;
  uint32_t rsv;
  berth_node_term term;
} berth_preferred_term;
#define BERTH_NODE_AFFINITY_SELECTOR 1u  /* spec.nodeSelector is set (it may be empty) */
#define BERTH_NODE_AFFINITY_REQUIRED 2u  /* requiredDuringSchedulingIgnoredDuringExecution is set */
#define BERTH_NODE_AFFINITY_PREFERRED 4u /* the preferred list is set (it may be empty) */
typedef struct berth_node_affinity { /* spec.nodeSelector and spec.affinity.nodeAffinity */
  BERTH_BLOCK;
  uint64_t has;
  berth_list selector;  /* berth_kv, sorted by key text */
  berth_list required;  /* berth_node_term, ORed */
  berth_list preferred; /* berth_preferred_term */
} berth_node_affinity;

typedef struct berth_gates {
  BERTH_BLOCK;
  berth_list items; /* berth_id: spec.schedulingGates[].name */
} berth_gates;

#define BERTH_POD_HAS_PRIORITY 1u /* spec.priority is set; priority is 0 otherwise */
typedef struct berth_pod {
  uint32_t size;
  int32_t priority;
  uint64_t has; /* BERTH_POD_HAS_* */
  berth_str uid, name;
  berth_id ns, scheduler_name;
  berth_id node_name, nominated_node; /* BERTH_ID_ABSENT when unset */
  int64_t creation_unix_ns, deletion_unix_ns; /* BERTH_NO_TIME when unset */
  const berth_labels *labels; /* blocks are never NULL; an absent field is an empty block */
  const berth_images *images;
  const berth_resources *resources;
  const berth_ports *ports;
  const berth_tolerations *tolerations;
  const berth_node_affinity *node_affinity;
  const berth_gates *gates;
} berth_pod;

/* Which parts of a pod a result depends on; see berth_reuse in plugin.h. */
#define BERTH_POD_LABELS (1ull << 0)
#define BERTH_POD_IMAGES (1ull << 1)
#define BERTH_POD_RESOURCES (1ull << 2)
#define BERTH_POD_PORTS (1ull << 3)
#define BERTH_POD_TOLERATIONS (1ull << 4)
#define BERTH_POD_NODE_AFFINITY (1ull << 5)
#define BERTH_POD_NAMESPACE (1ull << 6)
#define BERTH_POD_PRIORITY (1ull << 7)
#define BERTH_POD_NODE_NAME (1ull << 8)

#ifdef __cplusplus
}
#endif
#endif
