// Resource lists of manifests: v1.ResourceList as a JSON object. Thread: any.
#pragma once

#include <optional>
#include <string>

#include "base/quantity.h"
#include "codec/json/value.h"

namespace berth::admission {

// A quantity given as a string or a number; nullopt if it is neither or does not parse.
std::optional<base::Quantity> QuantityOf(const json::Value& value);
// As it was written.
std::string QuantityText(const json::Value& value);

// The sum of the effective requests of a pod's containers, init containers, and sidecars, as nano-exact quantities.
// Source: k8s.io/component-helpers/resource/helpers.go AggregateContainerRequests. Skips quantities that do not parse;
// decoding the pod reports them.
json::Object AggregateRequests(const json::Value& pod_spec);

}  // namespace berth::admission
