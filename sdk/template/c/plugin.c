/* templatePluginC: allows only nodes that have a label. Written in C.
 *
 * This file contains what the C++ layer generates: the note, the entry, one instance, one table per extension point.
 * Read it in this order: the filter, the instance, the library. */
#include <berth/berth.h>
#include <stdlib.h>
#include <string.h>

#define NAME "templatePluginC"
BERTH_MANIFEST("{\"abi\":[1,2],\"minHost\":0,\"sdk\":\"c/1.2\",\"version\":\"" BERTH_PLUGIN_VERSION
               "\",\"draft\":[],"
               "\"plugins\":[{\"name\":\"" NAME
               "\",\"points\":[\"filter\"],\"args\":false,"
               "\"needs\":[\"" BERTH_SERVICE_CONFIG "\",\"" BERTH_SERVICE_VALUE "\",\"" BERTH_SERVICE_CYCLE
               "\",\"" BERTH_SERVICE_SNAPSHOT "\"]}]}");

typedef struct instance {
  berth_plugin face; /* what the host sees */
  const berth_host* host;
  const berth_cycles* cycles;
  const berth_snapshot* snapshot;
  berth_id label; /* the label key that a node must have; BERTH_ID_ABSENT: any node */
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

/* ---- the filter -------------------------------------------------------------------------------------------------- */

static int has_label(const berth_node* node, berth_id key) {
  uint32_t i;
  for (i = 0; i < node->labels->items.n; i++) {
    if (BERTH_AT(node->labels->items, berth_kv, i)->key == key) return 1;
  }
  return 0;
}

static berth_status filter(berth_plugin* p, berth_cycle* cycle, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  const instance* self = (const instance*)p->impl;
  const berth_snap* snap = self->cycles->snap(cycle);
  const berth_str reason = text("node(s) didn't have the label that " NAME " asks for");
  uint32_t reasons = 0, i;
  (void)pod;
  if (self->label == BERTH_ID_ABSENT) return BERTH_SUCCESS; /* out is initially SUCCESS */
  for (i = 0; i < rows->n; i++) {
    const uint32_t row = rows->rows ? rows->rows[i] : rows->first + i;
    const berth_node* node = self->snapshot->node(snap, row);
    if (node == NULL || has_label(node, self->label)) continue; /* NULL: not live; the host skips such rows */
    if (reasons == 0) reasons = self->cycles->reasons(self->host, cycle, &reason, 1);
    out[i].code = BERTH_UNRESOLVABLE;
    out[i].reasons = reasons;
  }
  return BERTH_SUCCESS;
}

/* The result depends only on the named parts, so the host may reuse it. The filter accepts every row of the cluster. */
static const berth_filter filter_table = {
    sizeof(berth_filter), 0, {BERTH_REUSE | BERTH_TOTAL, 0, 0, BERTH_ROW_LABELS, 0}, filter};

/* ---- one instance ------------------------------------------------------------------------------------------------ */

static berth_status read_args(instance* self) {
  const berth_config* config = (const berth_config*)self->host->service(self->host, BERTH_SERVICE_CONFIG);
  const berth_values* values = (const berth_values*)self->host->service(self->host, BERTH_SERVICE_VALUE);
  const berth_value* label;
  if (!BERTH_HAS(config, berth_config, args) || !BERTH_HAS(values, berth_values, get)) {
    return fail(self, NULL, NAME ": this host offers no args");
  }
  label = values->get(config->args(self->host), text("label"));
  if (values->kind(label) == BERTH_VALUE_NULL) return BERTH_SUCCESS;
  if (values->kind(label) != BERTH_VALUE_STRING) return fail(self, NULL, NAME ": label must be a string");
  if (values->string(label).len > 0) self->label = self->host->intern(self->host, values->string(label));
  return BERTH_SUCCESS;
}
static berth_status init(berth_plugin* p) {
  instance* self = (instance*)p->impl;
  self->cycles = (const berth_cycles*)self->host->service(self->host, BERTH_SERVICE_CYCLE);
  self->snapshot = (const berth_snapshot*)self->host->service(self->host, BERTH_SERVICE_SNAPSHOT);
  if (!BERTH_HAS(self->cycles, berth_cycles, reasons) || !BERTH_HAS(self->snapshot, berth_snapshot, node)) {
    return fail(self, NULL, NAME ": this host offers no snapshot");
  }
  return read_args(self);
}
static berth_status activate(berth_plugin* p) {
  (void)p;
  return BERTH_SUCCESS;
}
static void deactivate(berth_plugin* p) { (void)p; }
static void destroy(berth_plugin* p) { free(p->impl); } /* the host drops the instance's IDs */
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
