// Applies a PATCH to an object: JSON merge patches, and strategic merge patches for the lists that schedulers patch.
// Thread: any.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/json/value.h"

namespace berth::simulation {

// "application/merge-patch+json" and "application/strategic-merge-patch+json". The error names what is wrong with the
// body or the type.
base::Result<json::Value> Patched(json::Value object, std::string_view content_type, std::string_view body);

// Lists with a merge key are merged element by element (conditions by type, ownerReferences by uid, ...). finalizers
// become a union. Other lists are replaced. null removes a member. Supports the directives $patch, $retainKeys, and
// $deleteFromPrimitiveList, and ignores $setElementOrder. Source: k8s.io/apimachinery/pkg/util/strategicpatch, patch
// tags of k8s.io/api/core/v1.
void StrategicMerge(json::Value& target, const json::Value& patch);

}  // namespace berth::simulation
