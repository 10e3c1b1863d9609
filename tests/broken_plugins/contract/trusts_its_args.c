/* BP-91: assumes that its args are an object. */
#include "../runtime/at_work.h"

static berth_status init(berth_plugin* p) {
  const berth_values* values = (const berth_values*)at_work_host->service(at_work_host, BERTH_SERVICE_VALUE);
  const berth_config* config = (const berth_config*)at_work_host->service(at_work_host, BERTH_SERVICE_CONFIG);
  const berth_value* args = config->args(at_work_host);
  (void)p;
  if (args != WELL_MADE_NULL && values->kind(args) != BERTH_VALUE_OBJECT) *(volatile int*)WELL_MADE_NULL = 1;
  return BERTH_SUCCESS;
}
AT_WORK_PASSING("TrustsItsArgs", init)
