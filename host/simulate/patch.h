// What a PATCH makes of an object: JSON merge patches, and strategic merge patches as far as the lists that schedulers
// patch go. Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "json/value.h"

namespace berth::simulate {

// "application/merge-patch+json" and "application/strategic-merge-patch+json". The error says what is wrong with body
// or type.
base::Result<json::Value> Patched(json::Value object, std::string_view content_type, std::string_view body);

// Lists with a merge key are merged element by element (conditions by type, ownerReferences by uid, ...), finalizers
// become a union, other lists are replaced; null takes a member away; the directives $patch, $retainKeys,
// $deleteFromPrimitiveList and $setElementOrder are understood, the last by being ignored. Source:
// k8s.io/apimachinery/pkg/util/strategicpatch, patch tags of k8s.io/api/core/v1.
void StrategicMerge(json::Value& target, const json::Value& patch);

}  // namespace berth::simulate
