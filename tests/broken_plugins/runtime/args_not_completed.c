/* Checks args, but its complete() returns none. */
#include "berth/entry.h"

static const void* args_table(const char* name, const char* id);
#define AT_WORK_LIBRARY_EXTENSION args_table
#define AT_WORK_NOTE_MORE ",\"args\":true"
#include "at_work.h"

static void complete(const berth_host* host, const berth_value* args, const berth_args_sink* sink) {
  (void)host, (void)args, (void)sink;
}
static void check(const berth_host* host, const berth_value* args, const berth_args_sink* sink) {
  (void)host, (void)args, (void)sink;
}
static const berth_args judge = {sizeof(berth_args), 0, complete, check};
static const void* args_table(const char* name, const char* id) {
  return strcmp(name, "ArgsNotCompleted") == 0 && strcmp(id, BERTH_LIBRARY_ARGS) == 0 ? &judge : WELL_MADE_NULL;
}
static berth_status filter(berth_plugin* p, berth_cycle* c, const berth_pod* pod, const berth_rows* rows,
                           berth_verdict* out) {
  (void)p, (void)c, (void)pod, (void)rows, (void)out;
  return BERTH_SUCCESS;
}
AT_WORK_FILTER("ArgsNotCompleted", filter)
