/* Allocates until the allocator refuses, at most 64 GiB, and writes to the last result. */
#include <stdlib.h>

#include "runtime/at_work.h"

enum { kChunks = 4096 };
static const size_t kChunk = (size_t)16 << 20;

static berth_status take_all(berth_plugin* p) {
  int i;
  (void)p;
  for (i = 0; i < kChunks; i++) {
    volatile char* chunk = (volatile char*)malloc(kChunk);
    chunk[0] = 1; /* a page, so that what is reserved is never more than 16 MiB in use */
  }
  return BERTH_SUCCESS;
}

AT_WORK_PASSING("TakesAllMemory", take_all)
