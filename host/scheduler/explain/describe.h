// Describes a recorded decision from its own table alone: no details of nodes, which only the cluster knows.
// Thread: any; a pure function.
#pragma once

#include <memory>

#include "scheduler/decisions/decision.h"
#include "scheduler/explain/pod_explanation.h"

namespace berth::explain {

Explanation Describe(std::shared_ptr<const decisions::Decision> decision);

}  // namespace berth::explain
