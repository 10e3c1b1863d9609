// The summary of an explanation: one paragraph that a person understands without the documentation.
// Thread: any; pure functions.
#pragma once

#include <string>

#include "scheduler/explain/pod_explanation.h"

namespace berth::explain {

// now: unix ns, for durations.
std::string Summary(const Explanation& explanation, int64_t now_unix_ns);

// The summary of one attempt, without the queue.
std::string AttemptSummary(const Explanation& explanation);

// "4,200 lack cpu (the closest, node-17, lacks 300m)"
std::string GroupText(const Group& group);

// "5,000"
std::string Grouped(uint64_t number);

}  // namespace berth::explain
