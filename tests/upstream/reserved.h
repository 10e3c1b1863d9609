// What a reservation of a node shows of the volumes and claims of its pod. Callers: cases_test.cc. Thread: one test.
#pragma once

#include "one_plugin.h"
#include "recorded.h"

namespace berth::upstream {

// Reserves the node for the pod of host's cycle; a call Reserve says what is to be seen then.
void CheckReserve(OnePlugin& host, const Case& c, const json::Value& call, const std::string& node);

}  // namespace berth::upstream
