/* BP-16: a thread-local variable of the initial-exec model. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("StaticTls"));
WELL_MADE_DESCRIBE("StaticTls")
__attribute__((tls_model("initial-exec"))) static __thread volatile char buffer[4096];
static uint32_t count(void) { return 1u + (uint32_t)buffer[7]; }
WELL_MADE_ENTRY(count)
