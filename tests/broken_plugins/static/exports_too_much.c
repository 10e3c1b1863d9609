/* BP-7: exports two functions in addition to the entry. */
#include "well_made.h"

WELL_MADE_LIBRARY("ExportsTooMuch")
BERTH_EXPORT int foo(void);
BERTH_EXPORT int bar(void);
int foo(void) { return 1; }
int bar(void) { return 2; }
