/* BP-70: a constructor leaves a descriptor open. */
#include <fcntl.h>

#include "../well_made.h"

__attribute__((constructor)) static void begin(void) { (void)!open("/dev/null", O_RDONLY); }
WELL_MADE_LIBRARY("OpensDescriptorWhenLoaded")
