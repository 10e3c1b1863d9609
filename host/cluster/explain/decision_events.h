// Decisions as server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html); docs/decisions.md
// describes them. Thread: any; pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "scheduler/decisions/decision.h"

namespace berth::explain {

// The first event of a stream; it also sets how long a browser waits before it connects again.
std::string InstanceEvent(uint64_t newest);
std::string DecisionEvent(const decisions::Decision& decision);
// The decisions up to the ID `last` are lost.
std::string MissedEvent(uint64_t missed, uint64_t last);
// A comment. It also sets the ID from which the client resumes.
std::string Heartbeat(uint64_t last);

}  // namespace berth::explain
