/* BP-42: a constructor runs for an hour. */
#include "well_made.h"

unsigned sleep(unsigned seconds);

WELL_MADE_LIBRARY("SleepsWhenLoaded")
__attribute__((constructor)) static void doze(void) { sleep(3600); }
