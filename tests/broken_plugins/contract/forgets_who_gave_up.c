/* BP-122: forgets the operation of a pod that is unreserved while its PreBind has not ended. */
#define AT_WORK_OFFERS(ID) (table_of(id) != WELL_MADE_NULL)
#include "../runtime/at_work.h"
#include "berth/binding.h"
#include "berth/tasks.h"

static berth_op* pending;

static void end(void* arg, int32_t run) {
  berth_op* op = pending;
  (void)arg, (void)run;
  pending = WELL_MADE_NULL;
  if (op) op->done(op, BERTH_SUCCESS, WELL_MADE_NULL, 0);
}
static berth_status pre_bind(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node, berth_op* op) {
  const berth_tasks* tasks = (const berth_tasks*)at_work_host->service(at_work_host, BERTH_SERVICE_TASKS);
  (void)p, (void)c, (void)pod, (void)node;
  if (!tasks) return BERTH_SUCCESS;
  pending = op;
  tasks->post(at_work_host, 0, end, WELL_MADE_NULL);
  return BERTH_LATER;
}
static berth_status reserve(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node) {
  (void)p, (void)c, (void)pod, (void)node;
  return BERTH_SUCCESS;
}
static void unreserve(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_id node) {
  (void)p, (void)c, (void)pod, (void)node;
  pending = WELL_MADE_NULL;
}
static const berth_pre_bind table = {sizeof(berth_pre_bind), 0, WELL_MADE_NULL, pre_bind};
static const berth_reserve reserving = {sizeof(berth_reserve), 0, reserve, unreserve};
static const void* table_of(const char* id) {
  if (strcmp(id, BERTH_POINT_PRE_BIND) == 0) return &table;
  return strcmp(id, BERTH_POINT_RESERVE) == 0 ? &reserving : WELL_MADE_NULL;
}
AT_WORK_LIBRARY("ForgetsWhoGaveUp", "preBind\",\"reserve", BERTH_POINT_PRE_BIND, *(const char*)table_of(id))
