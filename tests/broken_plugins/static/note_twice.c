/* BP-23: has two notes. */
#include "well_made.h"

WELL_MADE_LIBRARY("NoteTwice")
__attribute__((section(".note.berth"), used, aligned(4))) static const struct {
  uint32_t namesz, descsz, type;
  char name[8];
  char desc[4];
} second = {6u, 3u, BERTH_NOTE_TYPE, BERTH_NOTE_NAME, "{}"};
