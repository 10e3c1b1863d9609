/* BP-46: the descriptor ends before args_schema. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("DescriptorSmall"));
static const berth_descriptor* describe(uint32_t i) {
  static const berth_descriptor descriptor = {
      offsetof(berth_descriptor, args_schema), 0, "DescriptorSmall", "1", "tests", WELL_MADE_NULL};
  (void)i;
  return &descriptor;
}
WELL_MADE_ENTRY(well_made_count)
