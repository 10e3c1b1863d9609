// The request arithmetic on exact quantities, before anything is rounded.
// Source: k8s.io/component-helpers/resource/helpers.go; in-tree-plugins.md 1.5. Thread: any.
#pragma once

#include "api/resources.h"

namespace berth::api {

struct RequestOptions {
  bool skip_pod_level = false;
  bool use_status = false;
  // What containers count that lack the key; explicit zeros stay.
  bool default_cpu = false, default_memory = false;
};

// PodRequests, overhead included. Sorted by name text.
QuantityList ExactRequests(const Vocabulary& words, const ResourcesBlock& block, const RequestOptions& options);

// Does spec.resources.requests name a resource that pod-level requests support?
bool HasPodLevelRequests(const Vocabulary& words, const ResourcesBlock& block);

// nullptr when the list has no such name.
const base::Quantity* FindQuantity(const QuantityList& list, base::Id name);

}  // namespace berth::api
