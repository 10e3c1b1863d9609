// Counts the program's allocations with operator new, including those of plugins, and their bytes. Thread: any.
#pragma once

#include <cstdint>

namespace berth::bench {

uint64_t Allocations();
uint64_t AllocatedBytes();  // ever, without what malloc adds

}  // namespace berth::bench
