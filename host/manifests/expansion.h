// Pods of workloads, as the controllers would make them: a template and the names of its pods.
// Names are deterministic: NAME-0, NAME-1, ... (a DaemonSet's: NAME-NODE) where a cluster would draw random ones.
// Source: pkg/controller/{deployment,replicaset,replication,statefulset,daemon,job,volume/ephemeral}. Pure; thread:
// any.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "json/value.h"

namespace berth::manifests {

bool IsWorkload(const std::string& kind);
// Does the controller replace the pods when the template changes?
bool RollsOut(const std::string& kind);

// The pod that the workload's template makes, without a name: namespace, labels, owner and spec.
json::Value PodOfTemplate(const std::string& kind, const json::Value& workload);

// The ReplicaSet that the Deployment controller makes of a Deployment; its name and pod-template-hash follow from the
// template (in a cluster from more, so that they differ).
json::Value ReplicaSetOf(const json::Value& deployment);

// The claims of a StatefulSet's volumeClaimTemplates for one of its pods, which gets them as volumes.
std::vector<json::Value> AddClaims(const json::Value& stateful_set, const std::string& pod_name, json::Value& pod);
// The claims of a pod's generic ephemeral volumes. The pod has namespace and name.
std::vector<json::Value> EphemeralClaimsOf(const json::Value& pod);

// How many pods a workload other than a DaemonSet has: replicas, or for a Job the smaller of parallelism and
// completions; a suspended Job has none.
int64_t ReplicasOf(const std::string& kind, const json::Value& workload);

// A DaemonSet's pod tolerates what its controller lets it tolerate.
void AddDaemonTolerations(json::Value& pod);
// ... and is bound to its node by a required node affinity term on metadata.name.
void PinToNode(json::Value& pod, const std::string& node);

}  // namespace berth::manifests
