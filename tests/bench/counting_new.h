// Counts the program's allocations with operator new, including those of plugins, and their bytes. Thread: any.
#pragma once

#include <cstdint>

namespace berth::bench {

uint64_t Allocations();
uint64_t AllocatedBytes();  // ever, without what malloc adds

// Allocations on a thread for which this returns true do not count. It must not allocate. Null, the default: all count.
void SetExcept(bool (*except)());

}  // namespace berth::bench
