/* templatePluginC: a plugin in plain C. Pods stay off nodes that are marked unschedulable, and that is all.
 *
 * What the C++ layer would write for you is visible here: the note, the entry, one instance, one table per point.
 * Reading order: the point (bottom of "the policy"), the instance, the entry. */
#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>

#define NAME "templatePluginC"
BERTH_MANIFEST("{\"abi\":[1,0],\"minHost\":0,\"sdk\":\"c/1.0\",\"version\":\"" BERTH_PLUGIN_VERSION
               "\",\"draft\":[],"
               "\"plugins\":[{\"name\":\"" NAME
               "\",\"points\":[\"filter\"],\"args\":false,"
               "\"needs\":[\"" BERTH_SERVICE_CYCLE "\",\"" BERTH_SERVICE_SNAPSHOT "\"]}]}");

typedef struct instance {
  berth_plugin face; /* what the host sees */
  const berth_host* host;
  const berth_cycles* cycles;
  const berth_snapshot* snapshot;
} instance;

static berth_str text(const char* literal) {
  berth_str s;
  s.ptr = literal;
  s.len = strlen(literal);
  return s;
}

static berth_status fail(const instance* self, berth_cycle* cycle, const char* why) {
  const berth_str reason = text(why);
  if (BERTH_HAS(self->host, berth_host, because)) self->host->because(self->host, cycle, &reason, 1);
  return BERTH_ERROR;
}

/* ---- the policy -------------------------------------------------------------------------------------------------- */

static berth_status filter(berth_plugin* p, berth_cycle* cycle, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  const instance* self = (const instance*)p->impl;
  const berth_snap* snap = self->cycles->snap(cycle);
  const berth_str reason = text("node(s) were unschedulable");
  uint32_t reasons = 0, i;
  berth_column column;
  const uint8_t* unschedulable;
  (void)pod;
  memset(&column, 0, sizeof(column));
  column.size = sizeof(column);
  if (self->snapshot->column(snap, BERTH_NODE_UNSCHEDULABLE, BERTH_ID_ABSENT, &column) != 0) return BERTH_SUCCESS;
  if (column.type != BERTH_COLUMN_U8) return fail(self, cycle, NAME ": the column of unschedulable nodes is not U8");
  unschedulable = (const uint8_t*)column.cells;
  for (i = 0; i < rows->n; i++) {
    const uint32_t row = rows->rows ? rows->rows[i] : rows->first + i;
    if (!unschedulable[row]) continue;
    if (reasons == 0) reasons = self->cycles->reasons(self->host, cycle, &reason, 1);
    out[i].code = BERTH_UNRESOLVABLE;
    out[i].reasons = reasons;
  }
  return BERTH_SUCCESS;
}

/* The result depends on the named parts only, so that the host may reuse it; and it holds for every row there is. */
static const berth_filter filter_table = {
    sizeof(berth_filter), 0, {BERTH_REUSE | BERTH_TOTAL, 0, 0, BERTH_ROW_TAINTS, 0}, filter};

/* ---- one instance ------------------------------------------------------------------------------------------------ */

static berth_status init(berth_plugin* p) {
  instance* self = (instance*)p->impl;
  self->cycles = (const berth_cycles*)self->host->service(self->host, BERTH_SERVICE_CYCLE);
  self->snapshot = (const berth_snapshot*)self->host->service(self->host, BERTH_SERVICE_SNAPSHOT);
  if (!BERTH_HAS(self->cycles, berth_cycles, reasons) || !BERTH_HAS(self->snapshot, berth_snapshot, column)) {
    return fail(self, NULL, NAME ": this host offers no snapshot");
  }
  return BERTH_SUCCESS;
}
static berth_status activate(berth_plugin* p) {
  (void)p;
  return BERTH_SUCCESS;
}
static void deactivate(berth_plugin* p) { (void)p; }
static void destroy(berth_plugin* p) { free(p->impl); }
static const void* extension(berth_plugin* p, const char* id) {
  (void)p;
  return strcmp(id, BERTH_POINT_FILTER) == 0 ? &filter_table : NULL;
}

/* ---- the library ------------------------------------------------------------------------------------------------- */

static const berth_descriptor descriptor = {
    sizeof(berth_descriptor), 0, NAME, BERTH_PLUGIN_VERSION, "example.org", NULL};

static uint32_t count(void) { return 1; }
static const berth_descriptor* describe(uint32_t i) { return i == 0 ? &descriptor : NULL; }
static berth_plugin* create(const char* name, const berth_host* host) {
  instance* self;
  if (strcmp(name, NAME) != 0) return NULL;
  self = (instance*)calloc(1, sizeof(*self));
  if (self == NULL) return NULL;
  self->host = host; /* not to be called before init */
  self->face.size = sizeof(self->face);
  self->face.impl = self;
  self->face.init = init;
  self->face.activate = activate;
  self->face.deactivate = deactivate;
  self->face.destroy = destroy;
  self->face.extension = extension;
  return &self->face;
}
static const void* library_extension(const char* plugin_name, const char* id) {
  (void)plugin_name;
  (void)id;
  return NULL;
}

static const berth_entry entry = {sizeof(berth_entry), BERTH_ABI_MINOR, count, describe, create, library_extension};

const berth_entry* berth_entry_v1(uint32_t host_abi_minor) {
  (void)host_abi_minor;
  return &entry;
}
