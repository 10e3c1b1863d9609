// Which generation of policy is in force, as handlers of signals can read it: for the record of a crash.
// Thread: any; no lock. Ownership: one number, the process's.
#pragma once

#include <cstdint>

namespace berth::plugin {

// 0: none yet.
uint64_t PolicyInForce();
// By the engine, when a generation comes into force.
void NotePolicyInForce(uint64_t generation);

}  // namespace berth::plugin
