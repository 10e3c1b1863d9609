// JSON merge patches, RFC 7396. Thread: any.
#pragma once

#include "codec/json/value.h"

namespace berth::objects {

// Members of `patch` replace those of `target`; null removes a member. A patch that is no object replaces `target`.
void MergePatch(json::Value& target, const json::Value& patch);

}  // namespace berth::objects
