/* BP-17: has an address in the code that the dynamic linker must patch. */
#include "well_made.h"

WELL_MADE_LIBRARY("TextRelocation")
__asm__(".text\n.balign 8\n.quad berth_entry_v1\n");
