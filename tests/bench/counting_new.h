// Counts the program's allocations with operator new, including those of plugins. Thread: any.
#pragma once

#include <cstdint>

namespace berth::bench {

uint64_t Allocations();

}  // namespace berth::bench
