/* BP-46: the descriptor of a plugin that the note names is NULL. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("DescribeNull"));
static const berth_descriptor* describe(uint32_t i) {
  (void)i;
  return WELL_MADE_NULL;
}
WELL_MADE_ENTRY(well_made_count)
