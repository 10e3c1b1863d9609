// Encoding of the parts of a pod that restrict its nodes: node selector, affinity, spread constraints. Thread: any.
#pragma once

#include "api/pod.h"
#include "codec/json/value.h"

namespace berth::encode {

void SetPlacement(const api::InternTables& intern, const berth_pod& pod, json::Value& spec);

}  // namespace berth::encode
