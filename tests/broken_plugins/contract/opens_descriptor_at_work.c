/* BP-84: opens a file for every pod and closes none. */
#include <fcntl.h>

#include "../runtime/at_work.h"

static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  (void)!open("/dev/null", O_RDONLY);
  return BERTH_SUCCESS;
}
AT_WORK_FILTER("OpensDescriptorAtWork", filter)
