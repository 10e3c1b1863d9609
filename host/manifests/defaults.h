// What the API server fills into a new pod, as far as scheduling sees it.
// Source: pkg/apis/core/v1/defaults.go and pkg/registry/core/pod/strategy.go. Pure; thread: any.
#pragma once

#include "json/value.h"

namespace berth::manifests {

// pod: a whole v1.Pod. Namespace, schedulerName, requests from limits (containers, then spec.resources), host ports of
// hostNetwork pods, protocols, pools of RBD volumes.
void SetPodDefaults(json::Value& pod);

// node: a whole v1.Node. What is allocatable is the capacity unless it is given.
void SetNodeDefaults(json::Value& node);

// What the pod strategy does at creation: matchLabelKeys and mismatchLabelKeys of affinity terms and spread constraints
// go into their labelSelector, with the values of the pod's labels. A nil selector stays nil.
void MergeMatchLabelKeys(json::Value& pod);

}  // namespace berth::manifests
