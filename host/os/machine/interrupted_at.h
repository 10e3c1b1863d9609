// Where a signal handler interrupted its thread. Thread: the handler's; async-signal-safe.
#pragma once

#include <cstdint>

namespace berth::os {

// context: the third argument of a handler with SA_SIGINFO. 0: unknown on this machine.
uint64_t InterruptedAt(const void* context);

}  // namespace berth::os
