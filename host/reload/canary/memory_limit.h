// The limit of the child's address space. Thread: the child's only one; Taken also in signal handlers.
#pragma once

#include <cstdint>

namespace berth::canary {

// The address space that the child may use in addition to what it has when the limit is set: half of the free memory of
// its cgroup, so that the scheduler, which is in the same group, keeps the other half; within these bounds.
inline constexpr uint64_t kLeastHeadroom = uint64_t{256} << 20, kMostHeadroom = uint64_t{1} << 30;  // bytes
uint64_t HeadroomOf(uint64_t left_in_cgroup);

class MemoryLimit {
 public:
  // Does nothing in a program with sanitizers, which reserves terabytes. false: the limit could not be set.
  static bool Set();

  struct Use {
    uint64_t most, limit;  // bytes of address space
    bool notable;          // most is so large that it may be the cause of the failure
  };
  // Async-signal-safe. All zero where there is no limit.
  static Use Taken();
};

}  // namespace berth::canary
