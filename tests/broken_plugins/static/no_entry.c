/* BP-7: has a note and exports nothing. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("NoEntry"));
