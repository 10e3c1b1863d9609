// BP-10: initializes glog, which the host has initialized before. Only host/telemetry/log may include the header of
// glog, so this file has the declaration.
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
