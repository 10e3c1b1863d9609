/* BP-11: changes signal handlers and the environment. */
#include "well_made.h"

#include <stddef.h>
int sigaction(int number, const void* action, void* old);
int setenv(const char* name, const char* value, int overwrite);

BERTH_MANIFEST(WELL_MADE_JSON("ImportsSigaction"));
WELL_MADE_DESCRIBE("ImportsSigaction")
static uint32_t count(void) { return (uint32_t)(1 + sigaction(1, NULL, NULL) + setenv("A", "b", 1)); }
WELL_MADE_ENTRY(count)
