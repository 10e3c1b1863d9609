// Sets the defaults of new pods and nodes as the API server does, as far as they concern scheduling. Source:
// pkg/apis/core/v1/defaults.go and pkg/registry/core/pod/strategy.go. Pure; thread: any.
#pragma once

#include "codec/json/value.h"

namespace berth::admission {

// pod: a whole v1.Pod. Namespace, schedulerName, requests from limits (containers, then spec.resources), host ports of
// hostNetwork pods, protocols, pools of RBD volumes.
void SetPodDefaults(json::Value& pod);

// node: a whole v1.Node. Sets allocatable to the capacity if it is absent.
void SetNodeDefaults(json::Value& node);

// Applies the pod strategy at creation: adds matchLabelKeys and mismatchLabelKeys of affinity terms and spread
// constraints to their labelSelector, with the values of the pod's labels. A nil selector stays nil.
void MergeMatchLabelKeys(json::Value& pod);

}  // namespace berth::admission
