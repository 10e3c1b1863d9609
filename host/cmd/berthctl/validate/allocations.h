// Counts a plugin's allocations and lets one of them fail. Redirects the library's imports of malloc and operator new,
// and the allocations of libstdc++ for it; the frames of the stack show who allocates, so that the host's own
// allocations succeed. Does not cover what other libraries of the runtime allocate (getline, fopen, qsort, exceptions).
// Thread: HookAllocations main; Hunger any, for its own thread. Ownership: the hooks stay until the process ends.
#pragma once

#include <cstdint>

#include "plugin/loader/library.h"

namespace berth::validate {

// Call it in a process that does nothing else.
void HookAllocations(const loader::Library& library);

// While it lives, the nth allocation (1, 2, ...; 0: none) that the library makes on this thread fails.
class Hunger {
 public:
  explicit Hunger(uint32_t nth);
  ~Hunger();
  Hunger(const Hunger&) = delete;
  uint32_t made() const;  // allocations so far, including the one that failed
};

}  // namespace berth::validate
