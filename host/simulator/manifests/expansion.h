// Creates the pods of workloads as the controllers do: from a template, with names. Names are deterministic, where a
// cluster has random ones: NAME-0, NAME-1, ... (for a DaemonSet NAME-NODE). Source:
// pkg/controller/{deployment,replicaset,replication,statefulset,daemon,job,volume/ephemeral}. Pure; thread: any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/json/value.h"

namespace berth::manifests {

bool IsWorkload(const std::string& kind);
// Whether the controller replaces the pods when the template changes.
bool RollsOut(const std::string& kind);

// The pod of the workload's template, without a name: namespace, labels, owner, and spec.
json::Value PodOfTemplate(const std::string& kind, const json::Value& workload);

// The ReplicaSet of a Deployment. Its name and pod-template-hash depend only on the template, so they differ from those
// in a cluster.
json::Value ReplicaSetOf(const json::Value& deployment);

// Adds a StatefulSet's volumeClaimTemplates to one of its pods as volumes, and returns the claims.
std::vector<json::Value> AddClaims(const json::Value& stateful_set, const std::string& pod_name, json::Value& pod);
// The claims of a pod's generic ephemeral volumes. The pod has namespace and name.
std::vector<json::Value> EphemeralClaimsOf(const json::Value& pod);

// The number of pods of a workload other than a DaemonSet: replicas; for a Job, the smaller of parallelism and
// completions, or 0 if the Job is suspended.
int64_t ReplicasOf(const std::string& kind, const json::Value& workload);

// Adds the tolerations that the DaemonSet controller adds to its pods.
void AddDaemonTolerations(json::Value& pod);
// Binds the pod to its node by a required node affinity term on metadata.name, as the DaemonSet controller does.
void PinToNode(json::Value& pod, const std::string& node);

}  // namespace berth::manifests
