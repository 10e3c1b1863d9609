/* BP-42: a constructor dereferences an invalid pointer. */
#include "well_made.h"

WELL_MADE_LIBRARY("CrashesWhenLoaded")
static volatile int* volatile nowhere = WELL_MADE_NULL;
__attribute__((constructor)) static void crash(void) { *nowhere = 1; }
