// The effect of reserving a node on the volumes and claims of its pod. Callers: cases_test.cc. Thread: one test.
#pragma once

#include "one_plugin.h"
#include "recorded.h"

namespace berth::upstream {

// Reserves the node for the pod of the host's cycle, and compares the visible objects with those of the call.
void CheckReserve(OnePlugin& host, const Case& c, const json::Value& call, const std::string& node);

}  // namespace berth::upstream
