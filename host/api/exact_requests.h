// The sums of a pod's requests as exact quantities, before rounding. Source:
// k8s.io/component-helpers/resource/helpers.go PodRequests. Thread: any.
#pragma once

#include "api/resources.h"

namespace berth::api {

struct RequestOptions {
  bool skip_pod_level = false;
  bool use_status = false;
  // Count the default for containers without this key. An explicit zero stays zero.
  bool default_cpu = false, default_memory = false;
};

// The sum of PodRequests, overhead included. Sorted by name text.
QuantityList ExactRequests(const InternTables& intern, const ResourcesBlock& block, const RequestOptions& options);

// Whether spec.resources.requests names a resource that pod-level requests support.
bool HasPodLevelRequests(const InternTables& intern, const ResourcesBlock& block);

// nullptr if the list does not contain the name.
const base::Quantity* FindQuantity(const QuantityList& list, base::Id name);

}  // namespace berth::api
