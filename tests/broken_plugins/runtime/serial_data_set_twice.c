/* Follows every rule: it is SERIAL_ONLY and replaces its cycle data, so the host calls cycle_free within the call. */
#include "at_work.h"

static int freed;
static const berth_host* host_of(berth_plugin* p) { return (const berth_host*)p->impl; }
static void cycle_free(berth_plugin* p, void* data) {
  (void)p;
  ++freed;
  free(data);
}
static berth_status pre_filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, berth_names* out) {
  const berth_host* host = host_of(p);
  const berth_cycles* cycles = (const berth_cycles*)host->service(host, BERTH_SERVICE_CYCLE);
  (void)pod, (void)out;
  cycles->set_data(host, c, BERTH_SLOT_CYCLE, malloc(8));
  cycles->set_data(host, c, BERTH_SLOT_CYCLE, malloc(8));
  return freed > 0 ? BERTH_SUCCESS : BERTH_ERROR;
}
static const berth_pre_filter table = {sizeof(berth_pre_filter), 0, pre_filter};

BERTH_MANIFEST(AT_WORK_NOTE("SerialDataSetTwice", "preFilter"));
static const berth_descriptor* describe(uint32_t i) {
  static const berth_descriptor descriptor = {
      sizeof(berth_descriptor), BERTH_F_SERIAL_ONLY, "SerialDataSetTwice", "1.0.0", "tests", WELL_MADE_NULL};
  return i == 0 ? &descriptor : WELL_MADE_NULL;
}
static const void* extension(berth_plugin* p, const char* id) {
  (void)p;
  return strcmp(id, BERTH_POINT_PRE_FILTER) == 0 ? &table : WELL_MADE_NULL;
}
static berth_status init(berth_plugin* p) {
  static const berth_str kWhy = {"there is no cycle service", 25};
  const berth_host* host = host_of(p);
  if (host->service(host, BERTH_SERVICE_CYCLE) != WELL_MADE_NULL) return BERTH_SUCCESS;
  host->because(host, WELL_MADE_NULL, &kWhy, 1);
  return BERTH_ERROR;
}
static berth_plugin* create(const char* name, const berth_host* host) {
  berth_plugin* p;
  if (strcmp(name, "SerialDataSetTwice") != 0) return WELL_MADE_NULL;
  p = (berth_plugin*)calloc(1, sizeof *p);
  p->impl = (void*)host;
  at_work_host = host;
  p->size = sizeof *p;
  p->init = init;
  p->destroy = at_work_destroy;
  p->extension = extension;
  p->cycle_free = cycle_free;
  return p;
}
const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {
  static const berth_entry entry = {sizeof(berth_entry), BERTH_ABI_MINOR, well_made_count, describe, create,
                                    well_made_extension};
  (void)host_abi_minor;
  return &entry;
}
