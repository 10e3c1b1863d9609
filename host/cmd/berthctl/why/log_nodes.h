// The nodes that a decision log knows. Thread: any; a pure function.
#pragma once

#include "cmd/berthctl/why/log_index.h"
#include "codec/json/value.h"

namespace berth::ctl {

// A NodeTable: the nodes of the newest decision that has them, and those that were chosen before. A node counts the
// pods whose last decision chose it, and is unschedulable if NodeUnschedulable has rejected it. Resources and labels
// are unknown.
json::Value NodesOf(const LogIndex& index);

}  // namespace berth::ctl
