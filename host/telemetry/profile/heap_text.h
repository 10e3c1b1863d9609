// What the allocator says about the heap. Source: malloc_info(3). Thread: any.
#pragma once

#include <string>

namespace berth::profile {

// XML: the arenas, their sizes, and what of them is free. The allocator of glibc does not know who allocated memory.
std::string HeapText();

}  // namespace berth::profile
