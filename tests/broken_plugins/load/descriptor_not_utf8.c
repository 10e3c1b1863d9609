/* BP-46: the vendor's name is in Latin-1. */
#include "well_made.h"

BERTH_MANIFEST(WELL_MADE_JSON("DescriptorNotUtf8"));
static const berth_descriptor* describe(uint32_t i) {
  static const berth_descriptor descriptor = {
      sizeof(berth_descriptor), 0, "DescriptorNotUtf8", "1", "M\xfcller & Co", WELL_MADE_NULL};
  (void)i;
  return &descriptor;
}
WELL_MADE_ENTRY(well_made_count)
