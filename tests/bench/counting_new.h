// How often the program has allocated with operator new, plugins included. Thread: any.
#pragma once

#include <cstdint>

namespace berth::bench {

uint64_t Allocations();

}  // namespace berth::bench
