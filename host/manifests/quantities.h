// Resource lists of manifests: v1.ResourceList as a JSON object. Thread: any.
#pragma once

#include <optional>
#include <string>

#include "base/quantity.h"
#include "json/value.h"

namespace berth::manifests {

// A quantity as it may be written: text or number; nullopt when it is neither or does not parse.
std::optional<base::Quantity> QuantityOf(const json::Value& value);
// As it was written.
std::string QuantityText(const json::Value& value);

// Effective requests of a pod's containers, init containers and sidecars considered (resource/helpers.go
// AggregateContainerRequests), written in nano-exact quantities. What does not parse is left out: decoding the pod
// will say so.
json::Object AggregateRequests(const json::Value& pod_spec);

}  // namespace berth::manifests
