// Names the call into the plugin that Berth's own host makes on the main thread when a fatal signal or the time limit
// ends the child process of a rule: as a last step, so that the report names it. Thread: main of the child.
// Ownership: the process.
#pragma once

#include <chrono>

#include "cmd/berthctl/validate/findings.h"

namespace berth::validate {

// limit: after which the validator kills this process. findings lives as long as the process. Call it after
// ReadOnly::Install, whose signal handler runs next.
void NameLastCall(const Findings& findings, std::chrono::milliseconds limit);

}  // namespace berth::validate
