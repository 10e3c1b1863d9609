/* BP-12 and BP-28, a warning and a hint: may end the process, and leaves a thread key. The host loads it. */
#include "well_made.h"

void abort(void);
void exit(int code);
int pthread_key_create(unsigned* key, void (*destructor)(void*));

BERTH_MANIFEST(WELL_MADE_JSON("CallsExit"));
WELL_MADE_DESCRIBE("CallsExit")
static volatile int never = 0;
static uint32_t count(void) {
  unsigned key;
  if (never == 1) abort();
  if (never == 2) exit(pthread_key_create(&key, WELL_MADE_NULL));
  return 1;
}
WELL_MADE_ENTRY(count)
