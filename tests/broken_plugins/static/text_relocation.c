/* BP-17: an address within the code that has to be patched while loading. */
#include "well_made.h"

WELL_MADE_LIBRARY("TextRelocation")
__asm__(".text\n.balign 8\n.quad berth_entry_v1\n");
