/* Allocates until it is refused, 64 GiB at most, and writes to what it was given in the end. */
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
