// JSON merge patches, RFC 7396. Thread: any.
#pragma once

#include "json/value.h"

namespace berth::objects {

// Members of patch replace those of target, null takes them away, and what is no object replaces target whole.
void MergePatch(json::Value& target, const json::Value& patch);

}  // namespace berth::objects
