// The rejected nodes of a table by plugin and reason. Thread: any; a pure function.
#pragma once

#include <vector>

#include "scheduler/decisions/node_table.h"
#include "scheduler/explain/pod_explanation.h"

namespace berth::explain {

// By number of nodes, greatest first; equal ones in the order of the rejections.
std::vector<Group> GroupsOf(const decisions::NodeTable& table);

}  // namespace berth::explain
