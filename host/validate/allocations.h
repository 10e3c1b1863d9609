// A plugin's allocations, counted and refused. What the library imports of malloc and operator new is redirected, and
// what libstdc++ allocates for it; who allocates is told from the frames of the stack, so that the host's own
// allocations go on. What other libraries of the runtime allocate inside (getline, fopen, qsort, exceptions) is out of
// reach. Thread: HookAllocations main, Hunger any: it is about its own thread. Ownership: hooks stay for good.
#pragma once

#include <cstdint>

#include "loader/library.h"

namespace berth::validate {

// In a process that serves nothing else.
void HookAllocations(const loader::Library& library);

// While it lives, the nth allocation (1, 2, ...; 0: none) that the library makes on this thread fails.
class Hunger {
 public:
  explicit Hunger(uint32_t nth);
  ~Hunger();
  Hunger(const Hunger&) = delete;
  uint32_t made() const;  // allocations so far, the refused one included
};

}  // namespace berth::validate
