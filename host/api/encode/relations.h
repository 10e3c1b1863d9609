// Encoding of the parts of a pod that restrict its nodes: node selector, affinity, spread constraints. Thread: any.
#pragma once

#include "api/encode/encode.h"
#include "codec/json/value.h"

namespace berth::encode {

void SetPlacement(const IdText& text_of, const berth_pod& pod, json::Value& spec);

}  // namespace berth::encode
