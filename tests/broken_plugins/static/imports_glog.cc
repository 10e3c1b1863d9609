// BP-10: initialises glog, a second time as it turns out. The header of glog belongs to host/telemetry/log, hence the
// declaration.
#include "well_made.h"

namespace google {
void InitGoogleLogging(const char* program);
}

WELL_MADE_DESCRIBE("ImportsGlog")
static uint32_t Count(void) {
  google::InitGoogleLogging("plugin");
  return 1;
}
extern "C" {
BERTH_MANIFEST(WELL_MADE_JSON("ImportsGlog"));
WELL_MADE_ENTRY(Count)
}
