#include "cluster/process/small_heap.h"

#include <malloc.h>

#include <algorithm>

#include "os/machine/cpus.h"

namespace berth::process {

void KeepHeapSmall() {
  constexpr int kLarge = 256 << 10;
  mallopt(M_ARENA_MAX, static_cast<int>(std::max(2U, os::CgroupCpus())));
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, 2 * kLarge);
}

}  // namespace berth::process
