// How much address space the child process may take. Thread: the child's only one; Taken also in signal handlers.
#pragma once

#include <cstdint>

namespace berth::canary {

// What the child may take beside what it has when the limit is set: half of what its cgroup has left, so that the
// scheduler, which is in the same group, keeps the other half; within these bounds.
inline constexpr uint64_t kLeastHeadroom = uint64_t{256} << 20, kMostHeadroom = uint64_t{1} << 30;  // bytes
uint64_t HeadroomOf(uint64_t left_in_cgroup);

class MemoryLimit {
 public:
  // Does nothing in a sanitized program, which reserves terabytes. false: the limit could not be set.
  static bool Set();

  struct Use {
    uint64_t most, limit;  // bytes of address space
    bool notable;          // most is so much that it may be why the process failed
  };
  // Async-signal-safe. All zero where there is no limit.
  static Use Taken();
};

}  // namespace berth::canary
