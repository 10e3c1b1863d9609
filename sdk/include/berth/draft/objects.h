/* berth/draft/objects.h - DRAFT: objects of the cluster other than pods and nodes. One watch and one store per process
 * serve every instance; objects change between cycles only. */
#ifndef BERTH_DRAFT_OBJECTS_H
#define BERTH_DRAFT_OBJECTS_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct berth_object {
  uint32_t size, rsv;
  berth_str ns, name, uid, resource_version; /* ns: "" for cluster-scoped kinds */
  const berth_labels *labels;                /* never NULL */
  /* The object as JSON, without what only fills memory: metadata.managedFields, kubectl's last-applied-configuration
   * annotation and, of replicasets, statefulsets and replicationcontrollers, spec.template. */
  const berth_value *value;
} berth_object;
#define BERTH_SERVICE_OBJECTS "berth.host.objects/1"
typedef struct berth_objects {
  uint32_t size, rsv;
  /* [background] in activate only. From now on the host lists and watches this kind ("storage.k8s.io", "v1",
   * "storageclasses"; group "" is the core). The answer is its number for this process; 0 = the kind is not known to this
   * host. No pod is tried before every needed kind has been listed; a kind that the API server does not have, or that the
   * host may not read, counts as empty and is reported. Asking twice is harmless. */
  uint32_t (*need)(const berth_host *host, berth_str group, berth_str version, berth_str resource);
  /* [parallel] NULL = there is none. Lives until the call now running returns. */
  const berth_object *(*get)(const berth_host *host, uint32_t kind, berth_str ns, berth_str name);
  /* [parallel] const berth_object *, of one namespace or, with ns "", of all; sorted by namespace and name. Lives until
   * the call now running returns. */
  berth_list (*list)(const berth_host *host, uint32_t kind, berth_str ns);
  /* [parallel] Changes whenever an object of the kind does, assumed changes included. Never 0. */
  uint64_t (*version)(const berth_host *host, uint32_t kind);
  /* [serial] Shows everybody, at once, the object changed by a JSON merge patch (RFC 7396) before the API server does,
   * until revert or until the server sends a newer resourceVersion. 0 = done, -1 = no such object or no such patch. */
  int32_t (*assume)(const berth_host *host, uint32_t kind, berth_str ns, berth_str name, berth_str merge_patch);
  /* [any] Everything assumed of the object is forgotten, before the next cycle begins. */
  void (*revert)(const berth_host *host, uint32_t kind, berth_str ns, berth_str name);
  /* [parallel] Kubernetes' quantity, rounded up, as a count of 1/10^scale (scale 0 or 3). *ok = 0: not a quantity. */
  int64_t (*quantity)(berth_str text, uint32_t scale, int32_t *ok);
  /* [serial] [background] A v1.NodeSelector written in a document (a PersistentVolume's nodeAffinity.required, a
   * CSIStorageCapacity's nodeTopology as a LabelSelector is for the matching service). NULL: it has another shape; a term
   * that does not parse matches nothing. Judge it with selectors->match_required and match_node. Owned until
   * drop_node_selector or destroy. */
  const berth_node_affinity *(*keep_node_selector)(const berth_host *host, const berth_value *selector);
  void (*drop_node_selector)(const berth_host *host, const berth_node_affinity *selector); /* [serial] [background] */
} berth_objects;

#define BERTH_POINT_OBJECTS "berth.plugin.objects/1"
typedef struct berth_object_changes {
  uint32_t size, rsv;
  /* [serial] between cycles, before the event's hints. now NULL: deleted; before NULL: new. Of needed kinds only, assumed
   * changes included. What there is already when an instance is activated is told as new. */
  void (*changed)(berth_plugin *p, uint32_t kind, const berth_object *before, const berth_object *now);
} berth_object_changes;
#ifdef __cplusplus
}
#endif
#endif
