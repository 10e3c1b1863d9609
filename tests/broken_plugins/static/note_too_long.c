/* BP-23: the note claims a text that is longer than its segment. */
#include "well_made.h"

__attribute__((section(".note.berth"), used, aligned(4))) static const struct {
  uint32_t namesz, descsz, type;
  char name[8];
  char desc[16];
} note = {6u, 100000u, BERTH_NOTE_TYPE, BERTH_NOTE_NAME, "{\"abi\":[1,0]}"};
WELL_MADE_DESCRIBE("NoteTooLong")
WELL_MADE_ENTRY(well_made_count)
