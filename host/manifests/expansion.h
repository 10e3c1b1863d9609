// Pods of workloads, as the controllers would make them: a template and the names of its pods.
// Names are deterministic: NAME-0, NAME-1, ... (a DaemonSet's: NAME-NODE) where a cluster would draw random ones.
// Source: pkg/controller/{deployment,replicaset,replication,statefulset,daemon,job}. Pure; thread: any.
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

// How many pods a workload other than a DaemonSet has: replicas, or for a Job the smaller of parallelism and
// completions; a suspended Job has none.
int64_t ReplicasOf(const std::string& kind, const json::Value& workload);

// A DaemonSet's pod tolerates what its controller lets it tolerate.
void AddDaemonTolerations(json::Value& pod);
// ... and is bound to its node by a required node affinity term on metadata.name.
void PinToNode(json::Value& pod, const std::string& node);

}  // namespace berth::manifests
