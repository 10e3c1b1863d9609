/* berth/objects.h (since 1.1) - objects of the cluster other than pods and nodes. One watch and one store per process
 * serve all instances; objects change between cycles only. */
#ifndef BERTH_OBJECTS_H
#define BERTH_OBJECTS_H
#include "berth/plugin.h"
#ifdef __cplusplus
extern "C" {
#endif
typedef struct berth_object {
  uint32_t size, rsv;
  berth_str ns, name, uid, resource_version; /* ns: "" for cluster-scoped kinds */
  const berth_labels *labels;                /* never NULL */
  /* The object as JSON, without large fields that no plugin needs: metadata.managedFields, kubectl's
   * last-applied-configuration annotation and, of replicasets, statefulsets and replicationcontrollers, spec.template. */
  const berth_value *value;
} berth_object;
#define BERTH_SERVICE_OBJECTS "berth.host.objects/1"
typedef struct berth_objects {
  uint32_t size, rsv;
  /* [background] in activate only. From now on the host lists and watches this kind ("storage.k8s.io", "v1",
   * "storageclasses"; group "" is the core). Returns the kind's number in this process; 0 = the host does not know the
   * kind. The host schedules no pod before it has listed every needed kind. If the API server does not have the kind, or
   * the host may not read it, the host reports that and the kind counts as empty. A second call is harmless. */
  uint32_t (*need)(const berth_host *host, berth_str group, berth_str version, berth_str resource);
  /* [parallel] NULL = there is none. Lives until the running call returns. */
  const berth_object *(*get)(const berth_host *host, uint32_t kind, berth_str ns, berth_str name);
  /* [parallel] const berth_object *, of one namespace or, with ns "", of all; sorted by namespace and name. Lives until
   * the running call returns. */
  berth_list (*list)(const berth_host *host, uint32_t kind, berth_str ns);
  /* [parallel] Changes with every change of an object of the kind, also an assumed one. Never 0. */
  uint64_t (*version)(const berth_host *host, uint32_t kind);
  /* [serial] Assumes a change: from now on all instances see the object with a JSON merge patch (RFC 7396), until revert or
   * until the server sends a newer resourceVersion. 0 = done, -1 = no such object or no such patch. */
  int32_t (*assume)(const berth_host *host, uint32_t kind, berth_str ns, berth_str name, berth_str merge_patch);
  /* [any] Discards all assumed changes of the object, before the next cycle begins. */
  void (*revert)(const berth_host *host, uint32_t kind, berth_str ns, berth_str name);
  /* [parallel] Kubernetes' quantity, rounded up, as a count of 1/10^scale (scale 0 or 3). *ok = 0: not a quantity. */
  int64_t (*quantity)(berth_str text, uint32_t scale, int32_t *ok);
  /* [serial] [background] Compiles a v1.NodeSelector of a document, such as a PersistentVolume's nodeAffinity.required. (A
   * CSIStorageCapacity's nodeTopology is a LabelSelector: use the matching service.) NULL: it has another shape; a term
   * that does not parse matches nothing. Evaluate it with selectors->match_required and match_node. Owned until
   * drop_node_selector or destroy. */
  const berth_node_affinity *(*keep_node_selector)(const berth_host *host, const berth_value *selector);
  void (*drop_node_selector)(const berth_host *host, const berth_node_affinity *selector); /* [serial] [background] */
} berth_objects;

#define BERTH_POINT_OBJECTS "berth.plugin.objects/1"
typedef struct berth_object_changes {
  uint32_t size, rsv;
  /* [serial] between cycles, before the event's hints. now NULL: deleted; before NULL: new. Of needed kinds only, also
   * assumed changes. Objects that exist when an instance is activated arrive as new. */
  void (*changed)(berth_plugin *p, uint32_t kind, const berth_object *before, const berth_object *now);
} berth_object_changes;
#ifdef __cplusplus
}
#endif
#endif
