/* Reads the pods of a row, and declares that its verdicts depend on no part of a row. */
#include "at_work.h"

static const berth_host* the_host;
static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  const berth_snapshot* snapshot = (const berth_snapshot*)the_host->service(the_host, BERTH_SERVICE_SNAPSHOT);
  const berth_cycles* cycles = (const berth_cycles*)the_host->service(the_host, BERTH_SERVICE_CYCLE);
  uint32_t i;
  (void)p, (void)pod;
  for (i = 0; i < rows->n; ++i) {
    const uint32_t row = rows->rows != WELL_MADE_NULL ? rows->rows[i] : rows->first + i;
    if (snapshot->node(cycles->snap(c), row) == WELL_MADE_NULL) continue;
    if (snapshot->pods(cycles->snap(c), row).n > 0) out[i].code = BERTH_UNSCHEDULABLE;
  }
  return BERTH_SUCCESS;
}
static const berth_filter table = {sizeof(berth_filter), 0, {BERTH_REUSE | BERTH_TOTAL, 0, 0, 0, 0}, filter};

BERTH_MANIFEST(AT_WORK_NOTE("ReuseDeclaresTooLittle", "filter"));
WELL_MADE_DESCRIBE("ReuseDeclaresTooLittle")
static const void* extension(berth_plugin* p, const char* id) {
  (void)p;
  return strcmp(id, BERTH_POINT_FILTER) == 0 ? &table : WELL_MADE_NULL;
}
static berth_plugin* create(const char* name, const berth_host* host) {
  berth_plugin* p = (berth_plugin*)calloc(1, sizeof *p);
  (void)name;
  the_host = host;
  p->size = sizeof *p;
  p->init = at_work_ready;
  p->destroy = at_work_destroy;
  p->extension = extension;
  return p;
}
const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {
  static const berth_entry entry = {sizeof(berth_entry), BERTH_ABI_MINOR, well_made_count, describe, create,
                                    well_made_extension};
  (void)host_abi_minor;
  return &entry;
}
