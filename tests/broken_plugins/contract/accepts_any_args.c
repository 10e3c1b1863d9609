/* BP-90: checks args, but accepts all of them. */
#include "berth/entry.h"

static const void* args_table(const char* name, const char* id);
#define AT_WORK_LIBRARY_EXTENSION args_table
#define AT_WORK_NOTE_MORE ",\"args\":true"
#include "../runtime/at_work.h"

static void complete(const berth_host* host, const berth_value* args, const berth_args_sink* sink) {
  static const berth_str kNone = {"{}", 2};
  (void)host, (void)args;
  sink->json(sink->ctx, kNone);
}
static void check(const berth_host* host, const berth_value* args, const berth_args_sink* sink) {
  (void)host, (void)args, (void)sink;
}
static const berth_args judge = {sizeof(berth_args), 0, complete, check};
static const void* args_table(const char* name, const char* id) {
  return strcmp(name, "AcceptsAnyArgs") == 0 && strcmp(id, BERTH_LIBRARY_ARGS) == 0 ? &judge : WELL_MADE_NULL;
}
AT_WORK_FILTER("AcceptsAnyArgs", at_work_pass)
