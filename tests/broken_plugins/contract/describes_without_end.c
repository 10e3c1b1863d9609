/* BP-72: describes plugins that it does not have. */
#include "../well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("DescribesWithoutEnd"));
static const berth_descriptor* describe(uint32_t i) {
  static const berth_descriptor descriptor = {
      sizeof(berth_descriptor), 0, "DescribesWithoutEnd", "1.0.0", "tests", WELL_MADE_NULL};
  (void)i;
  return &descriptor;
}
WELL_MADE_ENTRY(well_made_count)
