/* BP-42: ends the process from a constructor, as gflags does when a flag is defined twice. */
#include "well_made.h"

long write(int fd, const void* bytes, size_t n);
void _exit(int code);

WELL_MADE_LIBRARY("ExitsWhenLoaded")
__attribute__((constructor)) static void leave(void) {
  if (write(2, "I have had enough.\n", 19) == 19) _exit(7);
}
