/* berth/pod.h - a pod as plugins see it: an identity that points at shared, immutable blocks of its spec.
 *
 * Two pods of one template point at the same block objects: equal `content` <=> equal block (within one block type and
 * one process), so a plugin or the host can reuse a result for every pod whose blocks are equal. Lists keep the order of
 * the object unless said otherwise. What Kubernetes writes as a string (operators, effects, protocols) is an id.
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
  berth_id key, op; /* op: In NotIn Exists DoesNotExist Gt Lt, or another text as written */
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

/* A metav1.LabelSelector as written; the matching service (berth/matching.h) says whether labels match it. */
#define BERTH_SELECTOR_SET 1u /* not nil: nil matches nothing, an empty one everything */
typedef struct berth_label_requirement {
  berth_id key, op; /* op: In NotIn Exists DoesNotExist, or another text as written */
  berth_list values; /* berth_id */
} berth_label_requirement;
typedef struct berth_selector {
  BERTH_BLOCK;
  uint64_t has;           /* BERTH_SELECTOR_* */
  berth_list labels;      /* berth_kv: matchLabels, sorted by key text */
  berth_list expressions; /* berth_label_requirement: matchExpressions */
} berth_selector;

/* matchLabelKeys and mismatchLabelKeys of a term are not here: the API server turns them into requirements of `selector`
 * when the pod is created. */
typedef struct berth_pod_term {
  berth_id topology_key;
  int32_t weight;                           /* of a preferred term; 0 in a required one */
  const berth_selector *selector;           /* never NULL, may be a nil selector */
  const berth_selector *namespace_selector; /* never NULL, may be a nil selector */
  berth_list namespaces;                    /* berth_id, as written. None, and a nil selector: the pod's own namespace */
} berth_pod_term;
#define BERTH_POD_AFFINITY_SET 1u      /* affinity.podAffinity is not nil (it may be empty) */
#define BERTH_POD_ANTI_AFFINITY_SET 2u /* affinity.podAntiAffinity is not nil */
typedef struct berth_pod_affinity {
  BERTH_BLOCK;
  uint64_t has;                   /* BERTH_POD_*AFFINITY_SET */
  berth_list required, preferred; /* berth_pod_term of podAffinity */
  berth_list anti_required, anti_preferred; /* berth_pod_term of podAntiAffinity */
} berth_pod_affinity;

typedef struct berth_spread_constraint {
  int32_t max_skew;
  int32_t min_domains; /* 1 when unset */
  berth_id topology_key, when_unsatisfiable;
  berth_id node_affinity_policy, node_taints_policy; /* BERTH_ID_ABSENT when unset: Honor and Ignore */
  const berth_selector *selector;                    /* never NULL, may be a nil selector */
  berth_list match_label_keys;                       /* berth_id */
} berth_spread_constraint;
typedef struct berth_spread { /* spec.topologySpreadConstraints */
  BERTH_BLOCK;
  berth_list items; /* berth_spread_constraint */
} berth_spread;

/* kind                          handle                 name             */
#define BERTH_VOLUME_CLAIM 1u      /* claimName                            */
#define BERTH_VOLUME_EPHEMERAL 2u  /* -             the volume: the claim is named <pod>-<volume> */
#define BERTH_VOLUME_GCE_PD 3u     /* pdName                               */
#define BERTH_VOLUME_AWS_EBS 4u    /* volumeID                             */
#define BERTH_VOLUME_AZURE_DISK 5u /* diskURI                              */
#define BERTH_VOLUME_AZURE_FILE 6u /* shareName                            */
#define BERTH_VOLUME_CINDER 7u     /* volumeID                             */
#define BERTH_VOLUME_PORTWORX 8u   /* volumeID                             */
#define BERTH_VOLUME_VSPHERE 9u    /* volumePath                           */
#define BERTH_VOLUME_ISCSI 10u     /* iqn                                  */
#define BERTH_VOLUME_RBD 11u       /* image         (and pool, monitors)   */
#define BERTH_VOLUME_CSI 12u       /* driver                               */
#define BERTH_VOLUME_READ_ONLY 1u  /* flags: the source's readOnly */
typedef struct berth_volume {
  uint32_t kind, flags;  /* BERTH_VOLUME_* */
  berth_id handle, name; /* see the table; name is BERTH_ID_ABSENT where no rule reads it */
  berth_id pool;         /* of RBD */
  uint32_t rsv;
  berth_list monitors; /* berth_id, of RBD */
} berth_volume;
typedef struct berth_volumes { /* spec.volumes of the kinds above; others are left out */
  BERTH_BLOCK;
  berth_list items; /* berth_volume */
} berth_volumes;

typedef struct berth_pod_claim { /* spec.resourceClaims[] */
  berth_id name, claim_name, template_name; /* BERTH_ID_ABSENT when unset */
} berth_pod_claim;
typedef struct berth_claims {
  BERTH_BLOCK;
  berth_list items; /* berth_pod_claim */
} berth_claims;

typedef struct berth_controller { /* the owner reference with controller: true; all BERTH_ID_ABSENT when there is none */
  BERTH_BLOCK;
  berth_id api_version, kind, name, uid;
} berth_controller;

#define BERTH_POD_HAS_PRIORITY 1u  /* spec.priority is set; priority is 0 otherwise */
#define BERTH_POD_HAS_PREEMPTED 2u /* condition DisruptionTarget is True with reason PreemptionByScheduler */
#define BERTH_POD_HAS_HOST_NETWORK 4u   /* spec.hostNetwork is true */
#define BERTH_POD_HAS_NO_HOST_USERS 8u  /* spec.hostUsers is false */
#define BERTH_POD_HAS_RESTART_ALL 16u   /* a container has a restartPolicyRules entry with action RestartAllContainers */
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
  const berth_pod_affinity *pod_affinity;
  const berth_spread *spread;
  const berth_volumes *volumes;
  const berth_claims *claims;
  const berth_controller *controller;
  int64_t start_unix_ns;                      /* status.startTime; BERTH_NO_TIME when unset */
  berth_id preemption_policy, priority_class; /* spec.preemptionPolicy, priorityClassName; BERTH_ID_ABSENT when unset */
  int64_t generation;                         /* metadata.generation; 0 when the server does not count it */
  /* When the pod got its node: lastTransitionTime of the condition PodScheduled. BERTH_NO_TIME when the condition is not
   * True, and BERTH_NO_TIME + 1, before all other times, when it is True and has no time. Of hosts since 1.1: see size. */
  int64_t scheduled_unix_ns;
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
#define BERTH_POD_POD_AFFINITY (1ull << 9)
#define BERTH_POD_SPREAD (1ull << 10)
#define BERTH_POD_VOLUMES (1ull << 11)
#define BERTH_POD_CLAIMS (1ull << 12)
#define BERTH_POD_CONTROLLER (1ull << 13)
#define BERTH_POD_FLAGS (1ull << 14) /* the BERTH_POD_HAS_* bits but PRIORITY */

#ifdef __cplusplus
}
#endif
#endif
