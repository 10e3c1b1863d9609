/* Normalizes to a score below 0, the lowest valid score. */
#include "at_work.h"

static berth_status score(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows, int64_t* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return BERTH_SUCCESS;
}
static berth_status normalize(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                              int64_t* io) {
  (void)p, (void)c, (void)pod, (void)rows;
  io[0] = -1;
  return BERTH_SUCCESS;
}
AT_WORK_SCORE("NormalizeNegative", BERTH_NORMALIZE_CALL, score, normalize)
